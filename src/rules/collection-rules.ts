import { rule, type RuleFamily } from "./rule.js";

/** COL: what a list is wrapped in. */
export const COLLECTIONS: RuleFamily = {
  prefix: "COL",
  title: "collections",
  section: "2.5",
  rules: [
    rule({
      id: "COL-1",
      title: "A collection is an object with results",
      asks: "`results` is always there, `[]` when empty; a bare array is never sent.",
      why: "Facts about the list have a place next to it.",
      example: {
        language: "json",
        wrong: "[]",
        right: '{ "results": [], "itemCount": 0, "pageNumber": 1, "pageSize": 20, "pageCount": 0 }',
      },
      kept: {
        runtime: ["http/json-writer"],
        resource: ["serializer"],
        openapi: ["components > schemas > <Entity>PageDto > properties > results"],
      },
    }),
    rule({
      id: "COL-2",
      title: "The envelope counts the result set",
      asks: "`itemCount`, `pageNumber`, `pageSize` and `pageCount` are integers. `count: none` leaves out the two that need counting; an empty result has `pageCount` 0.",
      why: "A client can draw a pager, and a very large collection need not be counted.",
      example: {
        language: "json",
        wrong: '{ "results": [], "pageCount": 1 }',
        right: '{ "results": [], "itemCount": 0, "pageNumber": 1, "pageSize": 20, "pageCount": 0 }',
      },
      kept: {
        runtime: ["query/query", "http/json-writer", "store/entity-store"],
        openapi: ["components > schemas > Common.CountedPage > properties > pageCount"],
        tests: ["col-2-metadata-counts-the-result-set"],
      },
    }),
  ],
};

/** QRY: what can be asked of a collection. */
export const QUERIES: RuleFamily = {
  prefix: "QRY",
  title: "query parameters",
  section: "4.3",
  rules: [
    rule({
      id: "QRY-1",
      title: "A filterable property is a parameter",
      asks: "`<property>=<value>` keeps the entities whose value is equal, for every property that is marked `filterable`. The common fields can be filtered by where the resource says so: `commonFilters: [createdDate, createdSubject]`.",
      why: "Each filter costs an index, so it is chosen and not assumed.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders?filter=status:shipped",
        right: "GET /api/v1/orders?status=shipped",
      },
      kept: {
        codes: ["SCH-14"],
        checks: ["check-keywords"],
        runtime: ["query/filters", "query/query"],
        resource: ["controller"],
        openapi: ["paths > /<resources> > get > parameters > <property>"],
        tests: ["qry-any-query"],
      },
    }),
    rule({
      id: "QRY-2",
      title: "A nested field is addressed with a dot",
      asks: "`deliveryAddress.state`: the path of the property in the body.",
      why: "The parameter has the name of what it filters.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders?deliveryAddressState=VT",
        right: "GET /api/v1/orders?deliveryAddress.state=VT",
      },
      kept: {
        runtime: ["query/filters"],
        openapi: ["paths > /<resources> > get > parameters > <property>.<field>"],
        tests: ["qry-any-query"],
      },
    }),
    rule({
      id: "QRY-3",
      title: "All filters must hold; several values of one filter are alternatives",
      asks: "A parameter given twice matches either value; an array matches when it contains the value; an empty value matches null, on an array `[]`. A property that says `filterable: range` takes `<property>.atLeast`, `.moreThan`, `.atMost` and `.lessThan` too, each once; a value that the property's own format refuses is a validation error.",
      why: "These are the two combinations that people need, without a query language.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders?status=packed,shipped",
        right: "GET /api/v1/orders?status=packed&status=shipped&company=",
      },
      kept: {
        codes: ["SCH-210"],
        checks: ["check-contradictions"],
        runtime: ["query/filters", "query/read-filters", "query/range-filter", "store/list-sql"],
        openapi: [
          "paths > /<resources> > get > parameters > <property> > allowEmptyValue",
          "paths > /<resources> > get > parameters > <property>.atLeast",
        ],
        tests: ["qry-any-query"],
      },
    }),
    rule({
      id: "QRY-4",
      title: "Sorting is by sortable properties, and always complete",
      asks: "`sort=-priority,createdDate`: the first takes precedence, `-` descends. Ties end on the identifier, nulls come last in both directions, text sorts by code point. `createdDate` and `lastModifiedDate` are always sortable.",
      why: "Pages never overlap, and every database gives the same order.",
      example: {
        language: "http",
        wrong: "GET /api/v1/tickets?sort=priority:desc",
        right: "GET /api/v1/tickets?sort=-priority,createdDate",
      },
      kept: {
        codes: ["SCH-14"],
        checks: ["check-keywords"],
        runtime: ["query/query", "store/list-sql"],
        openapi: ["paths > /<resources> > get > parameters > sort > schema > items > enum"],
        tests: ["qry-any-query"],
      },
    }),
    rule({
      id: "QRY-5",
      title: "pageSize and pageNumber choose a page",
      asks: "Pages count from 1; 20 a page, at most 100, both settable. A page past the end is empty, and 200.",
      why: "No request can ask for everything at once.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders?pageNumber=99   -> 404",
        right: 'GET /api/v1/orders?pageNumber=99   -> 200 { "results": [], ... }',
      },
      kept: {
        codes: ["SCH-106"],
        checks: ["check-service"],
        runtime: ["query/query"],
        openapi: ["paths > /<resources> > get > parameters > pageSize > schema > maximum"],
        tests: ["qry-any-query"],
      },
    }),
    rule({
      id: "QRY-6",
      title: "A parameter that is not understood is refused",
      asks: "An unknown name, a value of the wrong type, a size out of bounds, `sort`, `pageSize` or `pageNumber` empty or given twice: 400, with the parameter in `fields`.",
      why: "A mistyped filter that is ignored shows everything.",
      example: {
        language: "http",
        wrong: "GET /api/v1/orders?stauts=shipped   -> 200, every order",
        right: 'GET /api/v1/orders?stauts=shipped   -> 400, did you mean "status"?',
      },
      kept: {
        runtime: ["query/parameters", "query/query"],
        openapi: ["paths > /<resources> > get > responses > 400"],
        tests: ["qry-any-query"],
      },
    }),
  ],
};

/** ALI: searches with a path of their own. */
export const ALIASES: RuleFamily = {
  prefix: "ALI",
  title: "aliases",
  section: "4.4",
  rules: [
    rule({
      id: "ALI-1",
      title: "An alias packages a filter and a sort as a path",
      asks: "`/tickets/recentlyclosed` takes the collection's filters, sort and paging, and answers its envelope. Its conditions can be sets of values and windows of time: `within: 24h` ends at the time of the request. A sort in the request replaces the alias's. An alias may have a sort alone, alternatives (`any: [...]`), and `createdSubject: mine`, what the caller has made.",
      why: "A search that everybody makes is written once, with a name.",
      example: {
        language: "yaml",
        wrong:
          "aliases: { recentlyclosed: { where: { status: done, closedDate: { within: yesterday } } } }",
        right:
          "aliases: { recentlyclosed: { where: { status: closed, closedDate: { within: 24h } } } }",
      },
      kept: {
        codes: [
          "ALI-1",
          "SCH-83",
          "SCH-84",
          "SCH-85",
          "SCH-86",
          "SCH-87",
          "SCH-88",
          "SCH-89",
          "SCH-90",
          "SCH-91",
          "SCH-92",
          "SCH-213",
          "SCH-214",
          "SCH-215",
          "SCH-216",
          "SCH-217",
        ],
        checks: ["check-aliases", "check-where"],
        runtime: ["query/aliases", "query/conditions"],
        resource: ["aliases", "controller"],
        openapi: ["paths > /<resources>/<alias> > get"],
        tests: ["ali-1-aliases", "chd-1-nested-collections"],
      },
    }),
  ],
};
