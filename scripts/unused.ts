/**
 * Finds what the packages and the runner export in vain. Four rules:
 *
 * 1. A name that is exported is imported by another file. A type (interface, type alias, class) may also be there because
 *    another declaration of its file names it: the compiler needs its name where the types of others are made of it.
 * 2. The importing file is not a test. What only tests import is tested through what uses it, or named in `forTests` with
 *    the reason.
 * 3. Every file is reached by imports from an entry point: both `main.ts`, the browser's entries, build files and scripts.
 * 4. `forTests` names nothing that needs no exception.
 *
 * `node scripts/unused.ts`; exits with 1 when something is found.
 */
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { unused } from "./lib/Unused.ts"

/** Exports for tests alone as `File#name`, by why they are. */
const forTests: Readonly<Record<string, ReadonlyArray<string>>> = {
  "A test composes a node of one subsystem from these layers and settings": [
    "ClusterKeys#clusterKeyOf",
    "DownloadSettings#defaultDownloadSettings",
    "HttpServerLayer#layerMemoryServices",
    "App#Program",
    "ImportServices#importWorker",
    "ModerationTasks#moderationWorker",
    "ProcessingLayer#processingServices",
    "SubscriptionTasks#subscriptionWorker",
    "SyncServices#syncWorker",
    "UploadSettings#uploadLimits",
    "UserExportServices#userExportWorker",
    "UserImportServices#userImportWorker"
  ],
  "A test gives a bound, an observer or a schema of its own, which production fixes": [
    "InboxBacklog#InboxBounds",
    "InboxBacklog#usualBounds",
    "PreventedJobs#LocalRetention",
    "SchemaFiles#toSchema",
    "Steps#StepObserver"
  ],
  "A test runs a task once that production runs at start or for ever": ["FirstStart#firstStart", "RunnerTasks#watch"],
  "A test has the plan of the statement explained": ["VideoReads#detailsStatement"],
  "A test compares what is kept with what it is made of": ["CommentThreads#readThreads"],
  "A test compares a list with the sources": ["WithoutReader#withoutReader"],
  "A test compares a table or a shape with the contract, one by one": ["UserRight#userRights"],
  "A pure function with more cases than can be driven through its only caller": [
    "Access#withFileToken",
    "Call#addressOf",
    "Backoff#backoffDelay",
    "Download#inputAddress",
    "HomepagePage#homepageHtml",
    "Keys#actionOf",
    "Media#localPath",
    "NetworkSlots#networkOf",
    "Login#nextAfterLogin",
    "Order#indexAt",
    "PodcastFeed#podcastGuid",
    "Rows#windowOf",
    "Screen#readableLog",
    "SourcePackets#packetReader",
    "Spelling#distance",
    "Storyboard#tileAt",
    "Torrent#pieceLengthFor",
    "Totp#codeOf",
    "Totp#stepAt"
  ]
}

const root = dirname(import.meta.dirname)
const paths = globSync(
  ["packages/*/{src,test}/**/*.{ts,tsx}", "packages/*/*.ts", "runner/**/*.ts", "scripts/**/*.ts"],
  {
    cwd: root,
    exclude: (path) => path === "node_modules" || path === "dist"
  }
)
const sources = new Map(
  paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(root, path), "utf8")] as const)
)
const { exports, onlyTests, files, exceptions } = unused(sources, new Set(Object.values(forTests).flat()))
const found = [...exports, ...onlyTests, ...files, ...exceptions]
for (const line of found) console.error(line)
console.log(
  `unused: ${sources.size} files, ${exports.length} exports unused, ${onlyTests.length} used by tests alone, ${files.length} files unreached`
)
process.exitCode = found.length === 0 ? 0 : 1
