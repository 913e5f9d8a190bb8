import { field } from "../fields/Field.ts"
import { pageReaders } from "./Pagination.ts"
import { query } from "./Query.ts"
import { rowId } from "./UserFields.ts"

/** Path of a user's sessions. */
export const sessionsParams = { id: field(rowId("a user")) }

/** Path of one of them. */
export const sessionParams = { ...sessionsParams, tokenSessionId: field(rowId("a session")) }

/** Query of `GET /users/{id}/token-sessions` (contract: SortableColumns.tokenSessions). */
export const sessionListQuery = query(pageReaders(["createdAt"]))
