import type { SectionPage, SectionRow } from "./ExportSection.ts"
import { handleOf } from "./Pictures.ts"

/** Instances the user does not want to hear of (contract: BlocklistExportJSON). */
export const blockedInstances: SectionPage = (sql, task, after, limit) => sql<SectionRow>`
  select s.id as cursor, json_build_object('host', s.host::text)::text as item, '[]'::json as files
  from server_block b join server s on s.id = b.server_id
  where b.account_id = ${task.accountId} and b.server_id > ${after} order by b.server_id limit ${limit}
`

/** The same of accounts. */
export const blockedActors: SectionPage = (sql, task, after, limit) => sql<SectionRow>`
  select t.id as cursor, json_build_object('handle', ${handleOf(sql, sql`t.actor_id`)})::text as item, '[]'::json as files
  from account_block b join account t on t.id = b.target_account_id
  where b.account_id = ${task.accountId} and b.target_account_id > ${after} order by b.target_account_id limit ${limit}
`
