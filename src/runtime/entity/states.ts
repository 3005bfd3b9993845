import { ERROR_TYPES, entityErrorOf, words, type ApiError } from "../base/errors.js";
import type { StateChecks } from "./repository.js";

/** The states of an entity and what each of them allows (STA). */
interface StateRules<Properties> {
  /** `Ticket` */
  readonly entityType: string;
  /** The states that a create may name, the default first. */
  readonly initial: readonly string[];
  /** The states that can follow each state. They do not restrict an action with a target state. */
  readonly transitions: Readonly<Record<string, readonly string[]>>;
  /** The states in which properties other than the state can be changed. */
  readonly updatableIn: readonly string[];
  /** The states in which an entity can be deleted. */
  readonly deletableIn: readonly string[];
  /** The property that holds the state. */
  readonly property: string;
  readonly stateOf: (properties: Properties) => string;
  /** Returns `next` in the state of `stored`. */
  readonly keepState: (next: Properties, stored: Properties) => Properties;
  /** Returns the name of a state for refusals. Defaults to the stored name (VER-2). */
  readonly shownAs?: (state: string) => string;
}

/** Checks changes against the states of an entity and the transitions between them. */
export class StateMachine<Properties> implements StateChecks<Properties> {
  constructor(private readonly rules: StateRules<Properties>) {}

  get property(): string {
    return this.rules.property;
  }

  stateOf(properties: Properties): string {
    return this.rules.stateOf(properties);
  }

  /** STA-1: checks that a new entity is in an initial state. Throws 409. */
  checkCreate(next: Properties): void {
    const { entityType, initial, stateOf, shownAs = asStored } = this.rules;
    const state = stateOf(next);
    if (initial.includes(state)) return;
    const allowed = new Set(initial.map(shownAs));
    throw invalidInitialState(entityType, shownAs(state), [...allowed]);
  }

  /** STA-1: checks that the next state can follow the current one. Throws 409. */
  checkTransition(stored: Properties, next: Properties): void {
    const { stateOf } = this.rules;
    const from = stateOf(stored);
    const to = stateOf(next);
    if (to !== from && !this.followers(from).includes(to)) throw this.refusal(from);
  }

  /** STA-3: checks that the state before the update allows changes of other properties. Throws 409. */
  checkUpdate(stored: Properties): void {
    this.refuseUnless(this.rules.updatableIn, stored, "It can be changed");
  }

  /** STA-3: checks that the state allows a deletion. Throws 409. */
  checkDelete(stored: Properties): void {
    this.refuseUnless(this.rules.deletableIn, stored, "It can be deleted");
  }

  /** OPS-11: checks that the state allows an action. Throws 409. */
  checkAction(stored: Properties, allowed: readonly string[]): void {
    this.refuseUnless(allowed, stored, "This can be done");
  }

  keepState(next: Properties, stored: Properties): Properties {
    return this.rules.keepState(next, stored);
  }

  /** Returns the state machine with other state names for refusals. */
  shownAs(shownAs: (state: string) => string): StateMachine<Properties> {
    return new StateMachine({ ...this.rules, shownAs });
  }

  private refuseUnless(allowed: readonly string[], stored: Properties, deed: string): void {
    const state = this.rules.stateOf(stored);
    if (allowed.includes(state)) return;
    const { shownAs = asStored } = this.rules;
    const others = [...new Set(allowed.map(shownAs))];
    throw this.refusal(state, `${deed} ${placeOf(others)}.`);
  }

  private refusal(state: string, remedy?: string): ApiError {
    const { entityType, shownAs = asStored } = this.rules;
    const shown = shownAs(state);
    const next = new Set(this.followers(state).map(shownAs));
    // A state that looks the same is not a change for the client.
    next.delete(shown);
    if (shown === state) return invalidState(entityType, shown, [...next], remedy);
    const name = `shown as ${shown}, and another one in a newer version`;
    return invalidState(entityType, name, [...next], remedy);
  }

  private followers(state: string): readonly string[] {
    const { transitions } = this.rules;
    return Object.hasOwn(transitions, state) ? (transitions[state] ?? []) : [];
  }
}

/** 409: the state forbids the change. `next` are the states that can follow (STA-2), `remedy` names those that allow it. */
export function invalidState(
  entityType: string,
  state: string,
  next: readonly string[],
  remedy?: string,
): ApiError {
  const allowed = next.length === 0 ? "no update leads to another one" : `next: ${next.join(", ")}`;
  const told = [`Its state is ${state}; ${allowed}.`, ...(remedy === undefined ? [] : [remedy])];
  const description = told.join(" ");
  return entityErrorOf(entityType, ERROR_TYPES.invalidState, { description });
}

/** 409: a new entity cannot begin in this state (STA-1). */
function invalidInitialState(
  entityType: string,
  state: string,
  initial: readonly string[],
): ApiError {
  const description = `A new ${words(entityType)} is ${initial.join(" or ")}, and not ${state}.`;
  return entityErrorOf(entityType, ERROR_TYPES.invalidState, { description });
}

/** `where its state is open or pending` */
function placeOf(states: readonly string[]): string {
  return states.length === 0 ? "in no state" : `where its state is ${states.join(" or ")}`;
}

function asStored(state: string): string {
  return state;
}
