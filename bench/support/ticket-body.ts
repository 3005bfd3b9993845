/** The body that creates the entity number `index`: all 12 properties. */
export function ticketBody(index: number): string {
  return JSON.stringify({
    title: `The printer on floor ${index % 40} is out of paper`,
    body: "It has been blinking since this morning, and nobody knows where the paper is kept.",
    email: `desk${index % 500}@example.com`,
    status: (["open", "pending", "closed"] as const)[index % 3],
    priority: (index % 5) + 1,
    price: `${index % 90}.50`,
    dueDate: `2026-0${(index % 9) + 1}-15T10:30:00.000Z`,
    tags: ["printer", "paper", `floor${index % 40}`],
    deliveryAddress: { street: "1 Harbour Road", city: "Galveston", state: "TX" },
    channel: "web",
    weight: 1.25,
    urgent: index % 4 === 0,
  });
}

/** The body that changes an entity: each `index` to something else. */
export function ticketPatch(index: number): string {
  return JSON.stringify({ title: `Changed for the time ${index}`, priority: (index % 5) + 1 });
}
