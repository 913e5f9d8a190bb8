import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type ExportedFile, type SectionRow } from "@kinora/storage/archive/export/sections/ExportSection"
import { ExportReads, exportSections } from "@kinora/storage/archive/export/ExportReads"
import type { ExportTask } from "@kinora/storage/archive/export/sections/ExportTask"
import type { ObjectKey } from "@kinora/storage/platform/objects/ObjectKey"
import { Mux } from "@kinora/media/mux/Mux"
import { ObjectStore } from "@kinora/storage/platform/objects/ObjectStore"
import { MyUserReads } from "@kinora/storage/people/user/MyUserReads"
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { exportedSettings } from "./ExportedSettings.ts"
import type { ZipEntry } from "./ArchiveZip.ts"

type Entries = Stream.Stream<ZipEntry<DatabaseUnavailable>, DatabaseUnavailable>

const jsonFile = (name: string, content: Stream.Stream<string, DatabaseUnavailable>) =>
  ({ name, compress: true, content }) satisfies ZipEntry<DatabaseUnavailable>

/** A list of items, one per line. */
const listText = (name: string, rows: Stream.Stream<SectionRow, DatabaseUnavailable>) =>
  Stream.make(`${JSON.stringify(name)}:[\n`).pipe(
    Stream.concat(Stream.map(Stream.zipWithIndex(rows), ([{ item }, index]) => (index === 0 ? item : `,\n${item}`))),
    Stream.concat(Stream.make("\n]"))
  )

const make = Effect.gen(function* () {
  const config = yield* KinoraConfig
  const reads = yield* ExportReads
  const users = yield* MyUserReads
  const objects = yield* ObjectStore
  const mux = yield* Mux

  /** Joins separate video and audio files while they are read; copies of them are kept as long. */
  const joined = (name: string, videoKey: ObjectKey, audioKey: ObjectKey): ZipEntry<DatabaseUnavailable> => {
    const output = Effect.gen(function* () {
      const [video, audio] = [yield* objects.scopedFile(videoKey), yield* objects.scopedFile(audioKey)]
      const { next } = yield* mux.mux({ video, audio })
      return Stream.paginate(undefined, () =>
        Effect.map(next, (bytes) =>
          bytes === undefined
            ? ([[], Option.none<undefined>()] as const)
            : // The tool's own bytes are valid only until it is asked for more.
              ([[Uint8Array.from(bytes)], Option.some(undefined)] as const)
        )
      )
    })
    return { name, compress: false, content: Stream.orDie(Stream.unwrap(output)) }
  }

  /** An object whose file is missing is left out: the rest of the archive is still worth having. */
  const fileEntry = Effect.fnUntraced(function* ({
    as,
    bucket,
    name,
    audio
  }: ExportedFile): Effect.fn.Return<ReadonlyArray<ZipEntry<DatabaseUnavailable>>> {
    const key = { bucket, name }
    const stat = yield* Effect.option(objects.stat(key))
    if (Option.isNone(stat)) {
      yield* Effect.logWarning(`${bucket}/${name} is missing and is skipped in an archive`)
      return []
    }
    if (typeof audio === "string") {
      const audioKey = { bucket, name: audio }
      return Option.isNone(yield* Effect.option(objects.stat(audioKey))) ? [] : [joined(`files/${as}`, key, audioKey)]
    }
    const content = Stream.orDie(objects.openRead(key))
    return [{ name: `files/${as}`, compress: false, size: stat.value.size, content }]
  })

  const filesOf = (rows: Stream.Stream<SectionRow, DatabaseUnavailable>): Entries =>
    Stream.flatMap(rows, ({ files }) => Stream.fromIterable(files)).pipe(
      Stream.mapEffect(fileEntry),
      Stream.flatMap((found) => Stream.fromIterable(found))
    )

  const manifest = (task: ExportTask): Entries =>
    Stream.fromEffect(
      Effect.map(DateTime.now, (now) =>
        jsonFile(
          "kinora.json",
          Stream.make(
            JSON.stringify({
              format: 1,
              origin: config.derived.origin,
              username: task.username,
              withVideoFiles: task.withVideoFiles,
              createdAt: DateTime.formatIso(now)
            })
          )
        )
      )
    )

  const settings = (task: ExportTask): Entries =>
    Stream.fromEffect(users.byId(task.userId)).pipe(
      Stream.flatMap((user) =>
        Option.isNone(user)
          ? Stream.empty
          : Stream.make(jsonFile("peertube/user-settings.json", Stream.make(exportedSettings(user.value, config))))
      )
    )

  const entries = (task: ExportTask, onSection: (done: number) => void): Entries => {
    const sections = exportSections.map((section, index): Entries => {
      const lists = "one" in section ? [] : section.lists.map(([name, page]) => [name, reads.rows(task, page)] as const)
      const rows = "one" in section ? [reads.rows(task, section.one)] : lists.map(([, all]) => all)
      const text =
        "one" in section
          ? Stream.map(rows[0]!, ({ item }) => item)
          : Stream.make("{").pipe(
              Stream.concat(
                Stream.flatMap(Stream.fromIterable(lists.entries()), ([at, [name, all]]) =>
                  Stream.concat(Stream.make(at === 0 ? "" : ","), listText(name, all))
                )
              ),
              Stream.concat(Stream.make("}\n"))
            )
      const begun = Stream.fromEffectDrain(Effect.sync(() => onSection(index / exportSections.length)))
      return begun.pipe(
        Stream.concat(Stream.make(jsonFile(`peertube/${section.file}.json`, text))),
        Stream.concat(Stream.flatMap(Stream.fromIterable(rows), filesOf))
      )
    })
    return [settings(task), ...sections].reduce((all, section) => Stream.concat(all, section), manifest(task))
  }

  return ArchiveEntries.of({ entries })
})

/**
 * The files of a user's archive: `peertube/*.json`, which other instances can read (contract: the `…ExportJSON`
 * schemas), the media they refer to under `files/`, and `kinora.json`, which names the instance the archive comes from.
 */
export class ArchiveEntries extends Context.Service<
  ArchiveEntries,
  {
    /** Entries are produced while they are read. `onSection` receives the progress, from 0 to 1. */
    readonly entries: (task: ExportTask, onSection: (done: number) => void) => Entries
  }
>()("@kinora/node/userexports/ArchiveEntries") {
  static readonly layer = Layer.effect(ArchiveEntries, make)
}
