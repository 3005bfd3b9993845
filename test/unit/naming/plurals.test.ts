import { expect, test } from "vitest";
import { headOf, nameWords } from "../../../src/naming/head-noun.js";
import { pluralsOf } from "../../../src/naming/plurals.js";

const PLURALS = pluralsOf({});

/** Each singular with its usual plural. */
const NOUNS = `
  ticket tickets | order orders | category categories | day days | box boxes | branch branches | bus buses
  status statuses | address addresses | emailAddress emailAddresses | news news | series series | species species
  media media | data data | metadata metadata | information information | equipment equipment | staff staff
  sheep sheep | feedback feedback | history histories | analysis analyses | axis axes | crisis crises
  index indexes | schema schemas | matrix matrices | criterion criteria | person people | child children
  salesPerson salesPeople | sku skus | menu menus | submenu submenus | cpu cpus | api apis | taxi taxis
  sms smses | gps gpses | lens lenses | canvas canvases | gas gases | alias aliases | virus viruses | campus campuses
  cache caches | cookie cookies | movie movies | calorie calories | house houses | warehouse warehouses
  cause causes | case cases | purchase purchases | database databases | response responses | license licenses
  bonus bonuses | process processes | access accesses | class classes | quiz quizzes | hero heroes | photo photos
  leaf leaves | half halves | knife knives | roof roofs | proof proofs | tax taxes | penny pennies
  dayOfWeek daysOfWeek | unitInStock unitsInStock | itemPerBox itemsPerBox | pointOfInterest pointsOfInterest
  tagV2 tagsV2 | lineItem lineItems | dayOpen daysOpen | itemOrdered itemsOrdered | seatTaken seatsTaken
  newsFeed newsFeeds | checkIn checkIns | addOn addOns | passerBy passersBy | orderSKU orderSKUs | mp3 mp3s
`;

test.each(
  NOUNS.split(/[|\n]/).flatMap((line) => (line.trim() === "" ? [] : [line.trim().split(" ")])),
)("of %s, the plural is %s, and back", (singular = "", plural = "") => {
  expect(PLURALS.plural(singular)).toBe(plural);
  expect(PLURALS.singular(plural)).toBe(singular);
  expect(PLURALS.plural(plural)).toBe(plural);
  expect(PLURALS.isPlural(plural)).toBe(true);
  expect(PLURALS.isPlural(singular)).toBe(singular === plural);
  expect(PLURALS.isPluralOf(plural.toLowerCase(), singular)).toBe(true);
});

test.each([
  ["indices", "index"],
  ["schemata", "schema"],
  ["matrixes", "matrix"],
  ["persons", "person"],
  ["mediums", "medium"],
  ["media", "medium"],
  ["data", "datum"],
  ["bases", "basis"],
  ["volcanos", "volcano"],
  ["volcanoes", "volcano"],
  ["focuses", "focus"],
  ["feedbacks", "feedback"],
  ["xyzses", "xyzs"],
])("%s is a plural of %s as well", (plural, singular) => {
  expect(PLURALS.isPluralOf(plural, singular)).toBe(true);
  expect(PLURALS.isPlural(plural)).toBe(true);
});

test.each([
  ["childs", "child"],
  ["mouses", "mouse"],
  ["statusses", "status"],
  ["dayofweeks", "dayOfWeek"],
  ["orders", "ticket"],
])("%s is no plural of %s", (plural, singular) => {
  expect(PLURALS.isPluralOf(plural, singular)).toBe(false);
});

test.each(["address", "status", "gps", "customerSMS", "analysis", "listOfItems", "pricePerUnit"])(
  "%s is no plural",
  (name) => {
    expect(PLURALS.isPlural(name)).toBe(false);
  },
);

test("inflections are asked first, for the whole name and for its head", () => {
  const plurals = pluralsOf({ luggage: "luggage", beef: "beeves" });
  expect(plurals.plural("luggage")).toBe("luggage");
  expect(plurals.plural("frozenBeef")).toBe("frozenBeeves");
  expect(plurals.plural("beefOnBone")).toBe("beevesOnBone");
  expect(plurals.singular("frozenBeeves")).toBe("frozenBeef");
  expect(plurals.isPlural("handLuggage")).toBe(true);
  expect(pluralsOf({}).isPlural("handLuggage")).toBe(false);
});

test.each([
  ["daysOfWeek", ["days", "Of", "Week"]],
  ["orderSKUs", ["order", "SKUs"]],
  ["httpURLPath", ["http", "URL", "Path"]],
  ["tagsV2", ["tags", "V", "2"]],
  ["mp3s", ["mp", "3s"]],
])("%s has the words %j", (name, words) => {
  expect(nameWords(name)).toEqual(words);
});

test.each([
  ["emailAddresses", "email", "Addresses", ""],
  ["daysOfWeek", "", "days", "OfWeek"],
  ["tagsV2", "", "tags", "V2"],
  ["tags2", "", "tags", "2"],
  ["unitsInStockByRegion", "", "units", "InStockByRegion"],
  ["itemsOrdered", "", "items", "Ordered"],
  ["toDos", "to", "Dos", ""],
  ["inStock", "in", "Stock", ""],
  ["open", "", "open", ""],
])("the head of %s", (name, before, noun, after) => {
  expect(headOf(name)).toEqual({ before, noun, after });
});
