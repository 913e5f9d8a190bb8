import { Context, Data, Duration, Effect, FileSystem, Layer, Path, Schema, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { RunnerConfig } from "./RunnerConfig.ts"

/** A server this runner is registered with. */
const Entry = Schema.Struct({ origin: Schema.String, name: Schema.String, runnerToken: Schema.String })
export type Entry = typeof Entry.Type

const Entries = Schema.Struct({ servers: Schema.Array(Entry) })
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Entries))

/** The list is looked at so often where the file system does not tell of changes. */
const lookEvery = Duration.seconds(15)

/** The list of servers cannot be read or written. */
export class RegistrationsBroken extends Data.TaggedError("RegistrationsBroken")<{ readonly message: string }> {}

/** The servers this runner works for, with its tokens: `servers.json` in its storage, readable by its owner alone. */
export class Registrations extends Context.Service<
  Registrations,
  {
    readonly all: Effect.Effect<ReadonlyArray<Entry>, RegistrationsBroken>
    /** An element now and then, and soon after the list was changed by whichever process. */
    readonly changes: Stream.Stream<void>
    /** Replaces the entry of the same origin. */
    readonly put: (entry: Entry) => Effect.Effect<void, RegistrationsBroken>
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

      /** Written beside and renamed: a crash leaves the old list or the new one. */
      const write = Effect.fnUntraced(function* (servers: ReadonlyArray<Entry>) {
        const beside = `${file}.${randomUUID()}`
        yield* fs.makeDirectory(storage.directory, { recursive: true, mode: 0o700 })
        yield* fs.writeFileString(beside, `${JSON.stringify({ servers }, undefined, 2)}\n`, { mode: 0o600 }).pipe(
          Effect.andThen(fs.rename(beside, file)),
          Effect.onError(() => Effect.ignore(fs.remove(beside, { force: true })))
        )
      }, Effect.mapError(broken))

      const without = (origin: string) => Effect.map(all, (servers) => servers.filter((one) => one.origin !== origin))

      const watched = fs.watch(storage.directory).pipe(
        Stream.filter(({ path }) => path.endsWith("servers.json")),
        Stream.map(() => undefined),
        // There is no more room for watchers, or the folder is gone: it is looked at all the same.
        Stream.catchCause(() => Stream.empty)
      )

      return Registrations.of({
        all,
        changes: Stream.merge(watched, Stream.tick(lookEvery)),
        put: Effect.fn("Registrations.put")(function* (entry) {
          yield* write([...(yield* without(entry.origin)), entry])
        }),
        remove: Effect.fn("Registrations.remove")(function* (origin) {
          yield* write(yield* without(origin))
        })
      })
    })
  )
}
