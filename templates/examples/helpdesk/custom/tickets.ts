import type { TicketHooks } from "../generated/v1/tickets/tickets.hooks.js";

/** The business code of tickets. This file is yours: it was made once and is never touched again. */
export const tickets: TicketHooks = {
  /** A ticket that nobody has judged is of middling urgency. */
  beforeCreate(ticket) {
    ticket.priority ??= 3;
  },
};
