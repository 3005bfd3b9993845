import { runJob, withEnvFile } from "@rulebound/runtime";
import app from "../src/app.js";

// This file is yours. `npm run seed` adds some tickets and an article to an empty database, whether the service runs or
// not.

const TICKETS = [
  {
    title: "The printer on floor two is out of paper",
    priority: 2,
    channel: "mail",
    email: "desk@example.com",
    tags: ["printer", "paper"],
  },
  {
    title: "The projector in room 12 stays dark",
    priority: 1,
    channel: "phone",
    tags: ["projector"],
    deliveryAddress: { street: "1 Harbour Road", city: "Galveston", state: "TX" },
  },
  { title: "Please order five more chairs", channel: "web", price: "412.50", tags: ["furniture"] },
] as const;

await runJob(app, withEnvFile(process.env), async ({ services }) => {
  const { itemCount } = await services.tickets.list({ pageSize: 1 });
  if (itemCount > 0) return console.log(`There are ${itemCount} tickets already.`);
  for (const ticket of TICKETS) await services.tickets.create(ticket);
  await services.articles.create({
    reference: "PR-0012",
    title: "Where the paper is kept",
    text: "In the cupboard next to the printer.",
    published: true,
    keywords: ["printer", "paper"],
  });
  console.log(`Added ${TICKETS.length} tickets and an article.`);
});
