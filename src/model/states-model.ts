/** The states of an entity and what each of them allows (STA). */
export interface StatesModel {
  readonly property: string;
  /** The state of a new entity whose create names none. */
  readonly initial: string;
  /** Every state that a create may name, the default first. */
  readonly initials: readonly string[];
  /** Every state in the order of the enum, with those that can follow it by an update; actions can lead to others. */
  readonly transitions: readonly { readonly from: string; readonly to: readonly string[] }[];
  readonly updatableIn: readonly string[];
  readonly deletableIn: readonly string[];
}
