import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { openDatabase } from "../EmbeddedServer.ts"
import { instanceFiles } from "../InstanceFiles.ts"
import { until } from "../KinoraProcess.ts"

/** Rows of work that is not done, by table. */
export type Backlog = Readonly<Record<string, number>>

const backlog = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly name: string; readonly count: number }>`
    select 'jobs' as name, count(*)::int as count from job where state not in ('completed', 'failed', 'cancelled')
      and run_at < now() + interval '1 minute'
    union all select 'jobs that failed', count(*)::int from job where state = 'failed'
    union all select 'jobs of runners', count(*)::int from runner_job where state in (1, 2, 5, 7)
    union all select 'activities received', count(*)::int from inbox_activity where state = 'waiting'
    union all select 'activities refused', count(*)::int from inbox_activity where state = 'refused'
    union all select 'changes to be sent', count(*)::int from outbox_change
    union all select 'fan-outs', count(*)::int from delivery_fanout
    union all select 'deliveries', count(*)::int from delivery
    union all select 'uploads', count(*)::int from upload_session where state <> 'done'`
  return Object.fromEntries(rows.map(({ count, name }) => [name, count])) as Backlog
})

/** What is left of the work of a node, over its embedded database. Waits at most `seconds` for all of it to be done. */
export const drainedBacklog = async (dataDir: string, seconds: number): Promise<Backlog> => {
  const database = openDatabase(dataDir)
  let last: Backlog = {}
  try {
    return await until("all queues to be empty", seconds, async () => {
      last = await database.runPromise(backlog)
      return Object.values(last).every((count) => count === 0) ? last : undefined
    }).catch(() => last)
  } finally {
    await database.dispose()
  }
}

/** Names of temporary files that are left. */
export const temporaryFiles = (dataDir: string): ReadonlyArray<string> =>
  instanceFiles(dataDir).filter((name) => name.startsWith("tmp/"))
