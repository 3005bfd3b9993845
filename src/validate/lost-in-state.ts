/** What states allow, as a file or a contract says it. What is left out is allowed in every state. */
export interface StateAllowances {
  readonly transitions: Readonly<Record<string, readonly string[]>>;
  readonly updatableIn?: readonly string[];
  readonly deletableIn?: readonly string[];
}

/** Where an action is allowed: in these states, or else where a transition leads to another one (OPS-11). */
export interface ActionAllowance {
  readonly states?: readonly string[];
  readonly leadsTo?: string;
}

/** The actions of the older version and of the newer one, by name; undefined: it has none. */
export interface ActionVersions {
  readonly older: Readonly<Record<string, ActionAllowance>> | undefined;
  readonly newer: Readonly<Record<string, ActionAllowance>> | undefined;
}

/** A state, and the one that an older version shows instead of it. */
export interface ShownState {
  readonly state: string;
  readonly shown: string;
  /** Whether the older version has a state. */
  readonly isKnown: (state: string) => boolean;
}

/** What the clients of an older version are refused in a state, and not in the one that they are shown. */
export function lostInState(
  states: StateAllowances,
  actions: ActionVersions,
  { state, shown, isKnown }: ShownState,
): string[] {
  const isLost = (allowed: readonly string[] | undefined): boolean =>
    allowed !== undefined && allowed.includes(shown) && !allowed.includes(state);
  const nextOf = (from: string): readonly string[] =>
    Object.hasOwn(states.transitions, from) ? (states.transitions[from] ?? []) : [];
  const leadingTo = (next: string): string[] =>
    [shown, state].filter((from) => nextOf(from).includes(next));
  const statesOf = ({ states: own, leadsTo }: ActionAllowance): readonly string[] | undefined =>
    own ?? (leadsTo === undefined ? undefined : leadingTo(leadsTo));
  // One that lists none is allowed as well where the newer one leads there by itself.
  const ledFrom = (
    leadsTo: string | undefined,
    newer: ActionAllowance | undefined,
  ): readonly string[] | undefined => {
    if (leadsTo === undefined) return undefined;
    const own = newer?.leadsTo === leadsTo ? (newer.states ?? []) : [];
    return [...leadingTo(leadsTo), ...own];
  };
  // What the older version lists holds for the state as well, where the newer one allows it there.
  const isActionLost = ([name, older]: [string, ActionAllowance]): boolean => {
    const newer = actions.newer?.[name];
    if (older.states === undefined) return isLost(ledFrom(older.leadsTo, newer));
    if (!older.states.includes(shown)) return false;
    return newer === undefined || statesOf(newer)?.includes(state) === false;
  };
  return [
    ...(isLost(states.updatableIn) ? ["updates"] : []),
    ...(isLost(states.deletableIn) ? ["deletions"] : []),
    ...nextOf(shown)
      .filter((next) => isKnown(next) && isLost(leadingTo(next)))
      .map((next) => `the transition to ${next}`),
    ...Object.entries(actions.older ?? {})
      .filter(isActionLost)
      .map(([name]) => `the action ${name}`),
  ];
}
