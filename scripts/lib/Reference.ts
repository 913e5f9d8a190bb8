import type { FlatKey } from "../../packages/node/src/platform/config/kinds/Key.ts"
import { missingFeatureOf } from "../../packages/node/src/platform/config/WithoutReader.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", "\\n")

const defaultOf = ({ key }: FlatKey): string => {
  if (key.fallback !== undefined) return key.fallback
  if (key.written === null) return "none"
  if (key.written === "") return "empty"
  if (Array.isArray(key.written) && key.written.length === 0) return "empty list"
  return `\`${cell(typeof key.written === "string" ? key.written : JSON.stringify(key.written))}\``
}

/** What a key does; one that nothing reads says so. */
const descriptionOf = ({ key, path }: FlatKey): string =>
  missingFeatureOf(path) === undefined ? key.description : `(Without effect yet) ${key.description}`

/** Keys by the first part of their path, in the order of declaration. */
const sections = (keys: ReadonlyArray<FlatKey>): ReadonlyMap<string, ReadonlyArray<FlatKey>> =>
  Map.groupBy(keys, (flat) => flat.path.split(".")[0] ?? "")

const preface = (shortForms: Readonly<Record<string, string>>): string => `# Configuration

<!-- Written by scripts/reference.ts from the keys in packages/node/src/platform/config/keys. Do not edit. -->

Kinora runs without any configuration. What you set comes from two places, and the later one wins:

1. one YAML file: the one named by \`--config\`, else by \`KINORA_CONFIG\`, else \`kinora.yaml\` in the data folder, else
   \`config/kinora.yaml\` below the working directory;
2. the environment: \`KINORA_\` and the path of the key in capitals, joined by \`_\`. An empty variable counts as not set.

\`\`\`yaml
# kinora.yaml
webserver:
  hostname: video.example.org
  https: true
transcoding:
  concurrency: 2
\`\`\`

\`\`\`sh
KINORA_WEBSERVER_HOSTNAME=video.example.org KINORA_WEBSERVER_HTTPS=true KINORA_TRANSCODING_CONCURRENCY=2 scripts/start
\`\`\`

Short forms: ${Object.entries(shortForms)
  .map(([name, path]) => `\`${name}\` sets \`${path}\``)
  .join(", ")}.

- Durations are written as \`10 seconds\`, \`5 minutes\`, \`1 day 12 hours\`, \`2 weeks\`; a bare number is milliseconds.
- Sizes are written as \`500MB\` or \`10GB\`, where 1 KB is 1024 bytes; a bare number is bytes.
- Lists in the environment are separated by commas, or JSON.
- \`null\` takes back a value that may be none.
- Folders below \`storage\` that are not absolute stand in \`data_dir\`.

\`kinora config check\` reports everything that is wrong with the configuration at once; a node that is started with a
wrong one reports the same and exits with 78. Unknown keys are warnings that name the nearest known one.
\`kinora config print\` shows what is in force, \`kinora config print --origins\` where it comes from.
`

/** The reference of every key, in Markdown. */
export const markdown = (keys: ReadonlyArray<FlatKey>, shortForms: Readonly<Record<string, string>>): string => {
  const tables = [...sections(keys)].map(([name, group]) =>
    [
      `## ${name}`,
      "",
      "| Key | Default | What it does | Accepted |",
      "| --- | --- | --- | --- |",
      ...group.map(
        (flat) =>
          `| \`${flat.path}\`<br>\`${flat.env}\` | ${defaultOf(flat)} | ${cell(descriptionOf(flat))} | ${cell(flat.key.kind.accepts)} |`
      ),
      ""
    ].join("\n")
  )
  return [preface(shortForms), ...tables].join("\n")
}

const nixString = (text: string): string =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("${", "\\${").replaceAll("\n", "\\n")}"`

/**
 * Options for `services.kinora.settings`, in Nix. Secrets are left out: they belong into `environmentFile`, never into
 * the store. Every option may be null, which leaves the default of the program.
 */
export const nixOptions = (keys: ReadonlyArray<FlatKey>): string => {
  const options = keys
    .filter(({ key, path }) => !key.kind.secret && path !== "data_dir")
    .map((flat) => {
      const attribute = flat.path.split(".").map(nixString).join(".")
      const shown = defaultOf(flat).replaceAll("`", "")
      const type = flat.key.kind.nixType.startsWith("nullOr")
        ? flat.key.kind.nixType
        : `nullOr (${flat.key.kind.nixType})`
      return `  ${attribute} = option (${type}) ${nixString(`${descriptionOf(flat)}. Default: ${shown}.`)};`
    })
  return [
    "# Written by scripts/reference.ts from the keys in packages/node/src/platform/config/keys. Do not edit.",
    "{ lib }:",
    "with lib.types;",
    "let",
    "  option = type: description: lib.mkOption { inherit description; type = type; default = null; };",
    "in",
    "{",
    ...options,
    "}",
    ""
  ].join("\n")
}
