import { UserRole } from "@kinora/domain/enums/UserRole"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "../../platform/database/DatabaseErrors.ts"

/** At most so many email addresses of administrators that can be written to. */
export const administratorAddresses = (sql: SqlClient, most: number) =>
  sql<{ email: string }>`
    select email::text as email from app_user
    where role = ${UserRole.administrator} and not blocked and email_verified is not false
    order by id limit ${most}`.pipe(
    Effect.map((rows) => rows.map(({ email }) => email)),
    withDatabaseErrors
  )
