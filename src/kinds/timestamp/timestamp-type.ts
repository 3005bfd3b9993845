/** A time in UTC (REP-1). */
export interface TimestampType {
  readonly kind: "timestamp";
}
