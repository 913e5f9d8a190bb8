import { Schema } from "effect"
import { Problem } from "./ProblemError.ts"

/** The database cannot be reached at the moment; the request can be tried again. */
export class DatabaseUnavailable extends Problem<DatabaseUnavailable>()("DatabaseUnavailable", {
  status: 503,
  detail: "The database is not available at the moment",
  headers: ({ retryAfterSeconds }) => ({ "retry-after": String(retryAfterSeconds) }),
  fields: { retryAfterSeconds: Schema.Int, cause: Schema.optionalKey(Schema.Defect()) }
}) {}

/** The instance is busy or going down; the request can be tried again. */
export class ServiceUnavailable extends Problem<ServiceUnavailable>()("ServiceUnavailable", {
  status: 503,
  detail: ({ reason }) => reason,
  headers: ({ retryAfterSeconds }) => ({ "retry-after": String(retryAfterSeconds) }),
  fields: { reason: Schema.String, retryAfterSeconds: Schema.Int }
}) {}

/** Nobody has written a homepage. */
export class HomepageNotFound extends Problem<HomepageNotFound>()("HomepageNotFound", {
  status: 404,
  detail: "This instance has no homepage of its own"
}) {}

/** There is no room for the file on the instance's disk. */
export class InsufficientStorage extends Problem<InsufficientStorage>()("InsufficientStorage", {
  status: 507,
  detail: "There is not enough free space on this instance for the file"
}) {}
