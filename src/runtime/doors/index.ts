/** The imports of custom code. A breaking change here needs a new major version of the package. */

export { Decimal, type DecimalValue } from "../base/decimal.js";
export {
  ApiError,
  entityNotFound,
  forbidden,
  validationFailed,
  type ErrorDetails,
  type FieldIssue,
} from "../base/errors.js";
export { notWritten } from "../base/custom-code.js";
export { OwnCodeFault } from "../base/custom-code.js";

export type { CallerGrant } from "../auth/access.js";
export type { Caller } from "../auth/authentication.js";
export type { CommonFields, Subject } from "../base/common-fields.js";
export type { Clock } from "../base/time.js";
export type { Context } from "../entity/hooks.js";
export type { EntityService } from "../entity/entity-service.js";
export type {
  FilterCondition,
  SearchCondition,
  ServicePage,
  ServiceQuery,
} from "../entity/entity-service.js";
export type { Sql, SqlQuery } from "../entity/custom-sql.js";
export type { Change, EntityHooks, Later, Operation, Rule } from "../entity/hooks.js";
export type { WriteStep } from "../store/database.js";
export type { Problems, PropertyPath } from "../entity/problems.js";

export { boolean } from "../input/reader.js";
export type { Bounds } from "../input/numbers.js";
export { decimal, type DecimalRule } from "../input/numbers.js";
export { oneOf } from "../input/reader.js";
export type { TextFormat } from "../input/text.js";
export { integer } from "../input/numbers.js";
export { list, type ListRule } from "../input/lists.js";
export { number } from "../input/numbers.js";
export { nullable, withDefault, type Reader } from "../input/reader.js";
export { shape, type PropertyReaders } from "../input/reader.js";
export { text, type TextRule } from "../input/text.js";
export { timestamp } from "../input/reader.js";
export { uuid } from "../input/reader.js";

export type { Method } from "../http/routes.js";
export type { App, AppDefinition, AppGiven, AppOptions, RunningApp } from "../service/app.js";
export { events } from "../service/events-command.js";
export { withEnvFile } from "../service/environment.js";
export { migrate } from "../service/migrate.js";
export type { BodyReaders, DeclaredRoute, OwnCall, OwnRoute } from "../service/custom-routes.js";
export { runApp, runJob } from "../service/start.js";
export type { Service } from "../service/service.js";
export * as variables from "../service/variables.js";
