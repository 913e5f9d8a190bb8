import { plainSection, type SectionPage } from "./ExportSection.ts"
import { handleOf } from "./Pictures.ts"

/** Instances the user blocked (contract: BlocklistExportJSON). */
export const blockedInstances: SectionPage = (sql, task, after, limit) =>
  plainSection(sql<{ cursor: number; host: string }>`
    select s.id as cursor, s.host::text as host
    from server_block b join server s on s.id = b.server_id
    where b.account_id = ${task.accountId} and b.server_id > ${after} order by b.server_id limit ${limit}`)

/** Accounts the user blocked. */
export const blockedActors: SectionPage = (sql, task, after, limit) =>
  plainSection(sql<{ cursor: number; handle: string }>`
    select t.id as cursor, ${handleOf(sql, sql`t.actor_id`)} as handle
    from account_block b join account t on t.id = b.target_account_id
    where b.account_id = ${task.accountId} and b.target_account_id > ${after}
    order by b.target_account_id limit ${limit}`)
