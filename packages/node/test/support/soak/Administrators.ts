import type { Instance } from "../Federating.ts"
import type { Act } from "./Act.ts"
import { askJson, askList, inTurn } from "./Asking.ts"

/** Lists of administrators, and how many entries each has at least. */
const lists: ReadonlyArray<readonly [path: string, least: number]> = [
  ["/api/v1/users?count=20&sort=-createdAt", 20],
  ["/api/v1/users?count=20&search=seed1", 5],
  ["/api/v1/videos?count=20&include=65&sort=-createdAt&isLocal=true", 20],
  ["/api/v1/jobs?count=20", 1],
  ["/api/v1/jobs/completed?count=20", 1],
  ["/api/v1/abuses?count=20&sort=-createdAt", 1],
  ["/api/v1/videos/comments?count=20&sort=-createdAt", 0],
  ["/api/v1/videos/blacklist?count=20", 0],
  ["/api/v1/server/followers?count=20", 1],
  ["/api/v1/server/following?count=20", 0],
  ["/api/v1/server/blocklist/accounts?count=20", 0],
  ["/api/v1/runners?count=20", 0],
  ["/api/v1/runners/jobs?count=20", 0]
]

/** Administrators who look after the instance. */
export const administrators = (root: Instance): ReadonlyArray<Act> => {
  const next = inTurn(lists)
  // Before the soak: what furnished the instance is in the log, however long ago that will be.
  const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
  return [
    {
      kind: "administrators: list",
      perMinute: 60,
      run: async () => {
        const [path, least] = next()
        await askList(root, path, least)
      }
    },
    {
      kind: "administrators: logs",
      perMinute: 6,
      run: async () => {
        const log = await askJson<ReadonlyArray<unknown>>(root, `/api/v1/server/audit-logs?startDate=${since}`)
        if (!Array.isArray(log) || log.length === 0) throw new Error("the audit log is empty")
        const lines = await askJson<ReadonlyArray<unknown>>(root, `/api/v1/server/logs?startDate=${since}&level=warn`)
        if (!Array.isArray(lines)) throw new Error("no log")
      }
    },
    {
      kind: "administrators: state of the server",
      perMinute: 6,
      run: async () => void (await askJson(root, "/api/v1/server/debug", { has: "tasks" }))
    }
  ]
}
