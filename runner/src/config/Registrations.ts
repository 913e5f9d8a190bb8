import { Context, Data, Duration, Effect, FileSystem, Layer, Path, Schema, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { RunnerConfig } from "./RunnerConfig.ts"
import { storageLock } from "./StorageLock.ts"

/** A server this runner is registered with. */
const Entry = Schema.Struct({ origin: Schema.String, name: Schema.String, runnerToken: Schema.String })
export type Entry = typeof Entry.Type

const Entries = Schema.Struct({ servers: Schema.Array(Entry) })
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Entries))

/** How often the list is read again if the file system does not report changes. */
const lookEvery = Duration.seconds(15)

/** How long to wait for another process that changes the list. */
const lockTimeout = Duration.seconds(10)

/** The list of servers cannot be read or written. */
export class RegistrationsBroken extends Data.TaggedError("RegistrationsBroken")<{ readonly message: string }> {}

/** The registered servers with their tokens: `servers.json` in the storage, readable only by its owner. */
export class Registrations extends Context.Service<
  Registrations,
  {
    readonly all: Effect.Effect<ReadonlyArray<Entry>, RegistrationsBroken>
    /** Emits regularly, and soon after any process changed the list. */
    readonly changes: Stream.Stream<void>
    /** Replaces the entry of the same origin. Concurrent changes by several processes are all kept. */
    readonly put: (entry: Entry) => Effect.Effect<void, RegistrationsBroken>
    /** Adds the entry if there is none for the origin. Returns whether it did. */
    readonly add: (entry: Entry) => Effect.Effect<boolean, RegistrationsBroken>
    readonly remove: (origin: string) => Effect.Effect<void, RegistrationsBroken>
  }
>()("@kinora/runner/config/Registrations") {
  static readonly layer = Layer.effect(
    Registrations,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const { join } = yield* Path.Path
      const { storage } = yield* RunnerConfig
      const file = join(storage.directory, "servers.json")
      const broken = ({ message }: { readonly message: string }) =>
        new RegistrationsBroken({ message: `${file}: ${message}` })

      const all = Effect.gen(function* () {
        if (!(yield* fs.exists(file))) return []
        return (yield* decode(yield* fs.readFileString(file))).servers
      }).pipe(Effect.mapError(broken))

      /** Written to another file and renamed: after a crash there is either the old list or the new one. */
      const write = Effect.fnUntraced(function* (servers: ReadonlyArray<Entry>) {
        const beside = `${file}.${randomUUID()}`
        yield* fs.makeDirectory(storage.directory, { recursive: true, mode: 0o700 })
        yield* fs.writeFileString(beside, `${JSON.stringify({ servers }, undefined, 2)}\n`, { mode: 0o600 }).pipe(
          Effect.andThen(fs.rename(beside, file)),
          Effect.onError(() => Effect.ignore(fs.remove(beside, { force: true })))
        )
      }, Effect.mapError(broken))

      const locking = yield* Effect.context<RunnerConfig | FileSystem.FileSystem | Path.Path>()

      /** Changes the list while no other process does. */
      const change = <A>(
        how: (servers: ReadonlyArray<Entry>) => readonly [A, ReadonlyArray<Entry> | undefined]
      ): Effect.Effect<A, RegistrationsBroken> =>
        Effect.gen(function* () {
          yield* Effect.mapError(storageLock("servers.lock", lockTimeout), broken)
          const [answer, servers] = how(yield* all)
          if (servers !== undefined) yield* write(servers)
          return answer
        }).pipe(Effect.scoped, Effect.provideContext(locking))

      const without = (origin: string) => (servers: ReadonlyArray<Entry>) =>
        servers.filter((one) => one.origin !== origin)

      const watched = fs.watch(storage.directory).pipe(
        Stream.filter(({ path }) => path.endsWith("servers.json")),
        Stream.map(() => undefined),
        // Watching is not possible, or the folder was deleted. The list is still read regularly.
        Stream.catchCause(() => Stream.empty)
      )

      return Registrations.of({
        all,
        changes: Stream.merge(watched, Stream.tick(lookEvery)),
        put: Effect.fn("Registrations.put")((entry) =>
          change((servers) => [undefined, [...without(entry.origin)(servers), entry]])
        ),
        add: Effect.fn("Registrations.add")((entry) =>
          change((servers) =>
            servers.some(({ origin }) => origin === entry.origin) ? [false, undefined] : [true, [...servers, entry]]
          )
        ),
        remove: Effect.fn("Registrations.remove")((origin) =>
          change((servers) => [undefined, without(origin)(servers)])
        )
      })
    })
  )
}
