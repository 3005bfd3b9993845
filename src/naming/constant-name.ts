/** `TicketStatus` -> `TICKET_STATUS`. */
export function constantName(typeName: string): string {
  return typeName.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase();
}
