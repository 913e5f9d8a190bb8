import { Config, Context, Data, Effect, FileSystem, Option, Path, Runtime, Schema, SchemaIssue } from "effect"
import { parse, TomlError } from "smol-toml"
import { nearest } from "@kinora/domain/text/Nearest"
import { videoCodecs } from "@kinora/media/ladder/VideoCodec"
import { presets } from "@kinora/media/settings/Preset"
import { hardwareKinds } from "@kinora/media/transcode/VideoEncoder"
import { jobTypes } from "./JobTypes.ts"

const whole = (minimum: number, maximum: number, usual: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum })).pipe(Schema.withDecodingDefaultKey(Effect.succeed(usual)))

const path = Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\//, { message: "Must be an absolute path" })))

const logLevels = ["Trace", "Debug", "Info", "Warn", "Error"] as const

/** Which hardware encoders may be used; `auto` is all of them. */
export const hardwareChoices = ["off", "auto", ...hardwareKinds] as const

const storage = {
  directory: path,
  max_gib: whole(1, 1_000_000, 100),
  reserve_gib: whole(0, 1_000_000, 1)
}

const media = {
  ffmpeg_path: path,
  ffprobe_path: path,
  threads: whole(0, 1024, 0),
  codec: Schema.Literals(videoCodecs).pipe(Schema.withDecodingDefaultKey(Effect.succeed("h264" as const))),
  hardware: Schema.Literals(hardwareChoices).pipe(Schema.withDecodingDefaultKey(Effect.succeed("off" as const))),
  device: path,
  preset: Schema.Literals(presets).pipe(Schema.withDecodingDefaultKey(Effect.succeed("veryfast" as const)))
}

/** The keys of `config.toml`. Every key has a default (runner/README.md). */
const File = Schema.Struct({
  concurrency: whole(1, 64, 2),
  job_types: Schema.NonEmptyArray(Schema.Literals(jobTypes)).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(jobTypes))
  ),
  poll_seconds: whole(5, 3600, 30),
  grace_seconds: whole(0, 86_400, 60),
  log_level: Schema.Literals(logLevels).pipe(Schema.withDecodingDefaultKey(Effect.succeed("Info" as const))),
  storage: Schema.Struct(storage).pipe(Schema.withDecodingDefaultKey(Effect.succeed({}))),
  media: Schema.Struct(media).pipe(Schema.withDecodingDefaultKey(Effect.succeed({})))
})

/** Every key by its dotted path. */
const known: ReadonlySet<string> = new Set([
  ...Object.keys(File.fields),
  ...Object.keys(storage).map((key) => `storage.${key}`),
  ...Object.keys(media).map((key) => `media.${key}`)
])

/** The key that was meant: the same one of another table, or one that differs by a few letters. */
const meant = (name: string): string | undefined => {
  const last = (key: string) => key.slice(key.lastIndexOf(".") + 1)
  return [...known].find((key) => last(key) === last(name)) ?? nearest(name, known)
}

const decode = Schema.decodeUnknownEffect(File, { errors: "all", onExcessProperty: "error" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The configuration of this process. `directory` is absolute. */
export type RunnerConfigShape = Omit<typeof File.Type, "storage"> & {
  readonly storage: { readonly directory: string; readonly maxBytes: number; readonly reserveBytes: number }
}

/** The configuration is invalid. The message names every wrong key, one per line. */
export class ConfigInvalid extends Data.TaggedError("ConfigInvalid")<{ readonly message: string }> {
  /** EX_CONFIG of sysexits.h: systemd does not restart the runner. */
  override get [Runtime.errorExitCode](): number {
    return 78
  }
}

/** The file named with `--config`, if any. */
export const ConfigPath = Context.Reference<Option.Option<string>>("@kinora/runner/config/ConfigPath", {
  defaultValue: () => Option.none()
})

/** Command line values, in the shape of the file. They override the file. */
export interface Overrides {
  readonly [key: string]: unknown
  readonly media?: Readonly<Record<string, unknown>>
}

/** The flags of this run. */
export const ConfigOverrides = Context.Reference<Overrides>("@kinora/runner/config/ConfigOverrides", {
  defaultValue: () => ({})
})

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const overridden = (file: unknown, { media = {}, ...flags }: Overrides): unknown => {
  if (!isTable(file)) return file
  const given = file["media"] ?? {}
  // A value that is not a table is kept, so that it is reported as invalid.
  return { ...file, ...flags, media: isTable(given) ? { ...given, ...media } : given }
}

const gibibyte = 1024 ** 3

const variable = (name: string) =>
  Config.String(name).pipe(
    Config.withDefault(""),
    Effect.orElseSucceed(() => "")
  )

const folder = Effect.fnUntraced(function* (variables: readonly [own: string, home: string]) {
  const join = (yield* Path.Path).join
  const own = yield* variable(variables[0])
  return join(own === "" ? join(yield* variable("HOME"), variables[1]) : own, "kinora-runner")
})

const lines = (issue: SchemaIssue.Issue): string =>
  format(issue)
    .issues.map(({ message, path: keys = [] }) => {
      const name = keys.map((key) => String(typeof key === "object" ? key.key : key)).join(".")
      if (name === "") return `  the file: ${message}`
      // An item of a list is named by its number.
      if (known.has(name.replace(/\.\d+$/, ""))) return `  ${name}: ${message}`
      const suggestion = meant(name)
      return `  ${name}: unknown key${suggestion === undefined ? "" : `; did you mean ${suggestion}?`}`
    })
    .join("\n")

const parseToml = (file: string, text: string) =>
  Effect.try({
    try: (): unknown => parse(text),
    catch: (error) =>
      new ConfigInvalid({
        message: `${file} is not valid TOML: ${error instanceof TomlError ? error.message : String(error)}`
      })
  })

/**
 * Reads the configuration: `--config`, else `$XDG_CONFIG_HOME/kinora-runner/config.toml` (`~/.config`), which may be
 * missing. `ConfigOverrides` override it. The storage is `storage.directory`, else systemd's `STATE_DIRECTORY`, else
 * `~/.local/state/kinora-runner`.
 */
export const loadConfig = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { join, resolve } = yield* Path.Path
  const named = yield* ConfigPath
  const file = Option.isSome(named)
    ? resolve(named.value)
    : join(yield* folder(["XDG_CONFIG_HOME", ".config"]), "config.toml")
  const there = Option.isSome(named) || (yield* Effect.orElseSucceed(fs.exists(file), () => false))
  const text = there
    ? yield* Effect.mapError(
        fs.readFileString(file),
        ({ message }) => new ConfigInvalid({ message: `${file} cannot be read: ${message}` })
      )
    : ""
  const { storage, ...rest } = yield* Effect.mapError(
    decode(overridden(yield* parseToml(file, text), yield* ConfigOverrides)),
    ({ issue }) =>
      new ConfigInvalid({ message: `The configuration cannot be used (${file} and flags):\n${lines(issue)}` })
  )
  const state = yield* variable("STATE_DIRECTORY")
  const usual = state === "" ? yield* folder(["XDG_STATE_HOME", ".local/state"]) : state
  const config: RunnerConfigShape = {
    ...rest,
    storage: {
      directory: resolve(storage.directory ?? usual),
      maxBytes: storage.max_gib * gibibyte,
      reserveBytes: storage.reserve_gib * gibibyte
    }
  }
  return config
})

/** The current configuration. */
export class RunnerConfig extends Context.Service<RunnerConfig, RunnerConfigShape>()(
  "@kinora/runner/config/RunnerConfig"
) {}
