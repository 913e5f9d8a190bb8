import { assert, layer } from "@effect/vitest"
import { hasRight } from "@kinora/domain/enums/UserRight"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { actingNode, acts, perform } from "./audit/ActingNode.ts"
import { userId } from "./audit/Things.ts"
import { fill, type Operation, operations } from "./Operations.ts"
import { ask, RunningNode } from "./RunningNode.ts"

const timeout = 900_000

type Asker = "anonymous" | "another user" | "owner" | "moderator" | "administrator"

const roles = { moderator: UserRole.moderator, administrator: UserRole.administrator } as const

/** What the table of rights says: whether somebody may do this to a thing of the owner. */
const may = ({ right, rightOverOthers }: Operation, asker: Asker): boolean => {
  if (asker === "anonymous" || asker === "another user") return false
  if (asker === "owner") return right === undefined
  const role = roles[asker]
  if (right !== undefined && !hasRight(role, right)) return false
  if (rightOverOthers === undefined) return right !== undefined
  return rightOverOthers === "administrators" ? role === UserRole.administrator : hasRight(role, rightOverOthers)
}

interface Exception {
  readonly asker: Asker
  readonly may: boolean
  readonly because: string
}

const aboutSomebodyElse: Exception = {
  asker: "owner",
  may: false,
  because: "the act is about a user who is none of the askers"
}

/** Where the table does not say all. */
const exceptions: Readonly<Record<string, Exception>> = {
  postUsersTokenSessionsRevoke: aboutSomebodyElse,
  requestUserExport: aboutSomebodyElse,
  deleteUserExport: aboutSomebodyElse,
  confirmTwoFactorRequest: aboutSomebodyElse,
  disableTwoFactor: aboutSomebodyElse,
  userImportResumable: aboutSomebodyElse,
  bulkRemoveCommentsOf: { asker: "owner", may: false, because: "the act asks for the comments of the whole instance" },
  deleteVideoPlaylistsByPlaylistId: {
    asker: "moderator",
    may: false,
    because: "moderators do not see private playlists"
  },
  putUsersNotesByNoteId: { asker: "moderator", may: false, because: "the note is of an administrator" },
  deleteUsersNotesByNoteId: { asker: "moderator", may: false, because: "the note is of an administrator" }
}

/** 401: the video asks for its password. */
const refusals: ReadonlySet<number> = new Set([401, 403, 404])

const headersOf = Effect.gen(function* () {
  const { people, process } = yield* RunningNode
  const another = yield* Effect.promise(async () => {
    const password = "a password of another"
    const args = ["users", "create", "another", "--email", "another@example.com", "--password-stdin"]
    const made = await process.command(args, `${password}\n`)
    if (made.code !== 0) throw new Error(made.err)
    return await process.login("another", password)
  })
  return {
    anonymous: people.anonymous,
    "another user": another,
    owner: people.user,
    moderator: people.moderator,
    administrator: people.administrator
  } satisfies Record<Asker, Readonly<Record<string, string>>>
})

layer(actingNode, { excludeTestServices: true, timeout })("the table of rights", (it) => {
  it.effect(
    "lets everybody do what it says to things of others, and nothing more",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const headers = yield* headersOf
        const all = (yield* operations).filter(({ id }) => acts[id] !== undefined)
        assert.isAbove(all.length, 80)
        const entries = sql<{ count: number }>`select count(*)::int as count from audit_entry`
        const wrong: Array<string> = []
        for (const operation of all) {
          const { id, method, path } = operation
          const act = acts[id]!
          for (const asker of Object.keys(headers) as ReadonlyArray<Asker>) {
            const values = act.given === undefined ? {} : yield* act.given
            if (act.entry[0] !== "jobs") yield* sql`insert into job_pause default values on conflict do nothing`
            const [before] = yield* entries
            const { status, text } = yield* perform(method, fill(path, values), act, values, headers[asker])
            const exception = exceptions[id]
            const allowed = exception?.asker === asker ? exception.may : may(operation, asker)
            const [after] = yield* entries
            // That each act succeeds when it is allowed is the subject of the test of the audit log.
            const isRefused = asker === "anonymous" ? status === 401 : refusals.has(status)
            const isRight = isRefused === !allowed && (allowed || after!.count === before!.count)
            if (!isRight) wrong.push(`${id} as ${asker}: ${status} ${text.slice(0, 200)}`)
          }
        }
        assert.deepStrictEqual(wrong, [])
      }),
    timeout
  )

  it.effect("lets nobody read what it does not say", () =>
    Effect.gen(function* () {
      const { people } = yield* RunningNode
      const reading = (yield* operations).filter(({ method, right }) => method === "GET" && right !== undefined)
      assert.isAbove(reading.length, 15)
      const wrong: Array<string> = []
      for (const operation of reading) {
        // Moderators read about users, not about administrators.
        const path = fill(operation.path, { state: "active", id: yield* userId })
        for (const [asker, headers] of [
          ["anonymous", people.anonymous],
          ["another user", people.user],
          ["moderator", people.moderator],
          ["administrator", people.administrator]
        ] as const) {
          const { status } = yield* ask("GET", path, headers)
          const isRefused = status === 401 || status === 403
          if (isRefused === may(operation, asker)) wrong.push(`${operation.id} as ${asker}: ${status}`)
        }
      }
      assert.deepStrictEqual(wrong, [])
    })
  )
})
