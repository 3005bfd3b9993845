/** How a message describes a time (REP-1). */
export const TIMESTAMP_FORM =
  'a UTC time in the form yyyy-MM-ddTHH:mm:ss.SSSZ, such as "2024-02-29T23:59:59.999Z"';
