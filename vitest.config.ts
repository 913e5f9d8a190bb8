import { defineConfig } from "vitest/config"

const everything = ["packages/*/test/**/*.test.ts", "runner/test/**/*.test.ts", "scripts/**/*.test.ts"]
const endToEnd = ["packages/node/test/e2e/**/*.test.ts"]

/**
 * What `scripts/test --all` runs in addition (docs/testing.md): the same subject in every combination, long hunts for what
 * is wrong, and everybody's death. What each of them is about has a short test that always runs.
 */
const slow = [
  "packages/media/test/parts/Parts.test.ts",
  "packages/media/test/transcode/LadderQuality.test.ts",
  "packages/node/test/e2e/ArchivesPage.test.ts",
  "packages/node/test/e2e/Backup.test.ts",
  "packages/node/test/e2e/BackupEmbedded.test.ts",
  "packages/node/test/e2e/BackupS3.test.ts",
  "packages/node/test/e2e/UploadsAmongNodes.test.ts",
  "packages/node/test/e2e/BrowserLive.test.ts",
  "packages/node/test/e2e/Chaos.test.ts",
  "packages/node/test/e2e/ChaosCluster.test.ts",
  "packages/node/test/e2e/Cluster.test.ts",
  "packages/node/test/e2e/ClusterHandover.test.ts",
  "packages/node/test/e2e/ClusterLives.test.ts",
  "packages/node/test/e2e/ClusterOutage.test.ts",
  "packages/node/test/e2e/ClusterShared.test.ts",
  "packages/node/test/e2e/Commands.test.ts",
  "packages/node/test/e2e/DataFolder.test.ts",
  "packages/node/test/e2e/FirstFiles.test.ts",
  "packages/node/test/e2e/FollowedOrigin.test.ts",
  "packages/node/test/e2e/FullDisk.test.ts",
  "packages/node/test/e2e/LiveLimits.test.ts",
  "packages/node/test/e2e/LiveLowLatency.test.ts",
  "packages/node/test/e2e/LivePages.test.ts",
  "packages/node/test/e2e/LiveReplays.test.ts",
  "packages/node/test/e2e/LiveObjectStorage.test.ts",
  "packages/node/test/e2e/LiveRunners.test.ts",
  "packages/node/test/e2e/LiveSrt.test.ts",
  "packages/node/test/e2e/LostConnections.test.ts",
  "packages/node/test/e2e/Mails.test.ts",
  "packages/node/test/e2e/MovingInEnds.test.ts",
  "packages/node/test/e2e/ObjectStorage.test.ts",
  "packages/node/test/e2e/ObjectStorageElsewhere.test.ts",
  "packages/node/test/e2e/OtherMakes.test.ts",
  "packages/node/test/e2e/Outage.test.ts",
  "packages/node/test/e2e/People.test.ts",
  "packages/node/test/e2e/Publishing.test.ts",
  "packages/node/test/e2e/Reports.test.ts",
  "packages/node/test/e2e/RunnerEnds.test.ts",
  "packages/node/test/e2e/Soak.test.ts",
  "packages/node/test/e2e/Split.test.ts",
  "packages/node/test/e2e/Supervision.test.ts",
  "packages/node/test/e2e/Traces.test.ts",
  "packages/node/test/e2e/Tracker.test.ts",
  "packages/node/test/e2e/UploadPage.test.ts",
  "packages/node/test/e2e/Views.test.ts",
  "packages/node/test/e2e/Watch.test.ts",
  "packages/node/test/e2e/WebhooksKilled.test.ts",
  "packages/node/test/e2e/YtDlpUnknownHost.test.ts",
  "packages/node/test/security/Contract.test.ts",
  "packages/node/test/security/Fuzz.test.ts",
  "packages/node/test/security/HostilePeers.test.ts",
  "packages/node/test/security/HostileRequests.test.ts",
  "packages/node/test/security/RightsMatrix.test.ts",
  "packages/node/test/security/Statuses.test.ts",
  "packages/node/test/video/process/OddClips.test.ts",
  "packages/node/test/walks/Administrator.test.ts",
  "packages/node/test/walks/Maker.test.ts",
  "packages/node/test/walks/Moderator.test.ts",
  "packages/node/test/walks/Pictures.test.ts",
  "packages/node/test/walks/Viewer.test.ts"
]

/** The slow ones among those that run in the process of a worker. */
const slowUnits = [
  "packages/media/test/hardware/HardwareEncoders.test.ts",
  "packages/media/test/transcode/Transcode.test.ts",
  "packages/node/test/cli/OperatorAdministration.test.ts",
  "packages/node/test/cli/OperatorModeration.test.ts",
  "packages/node/test/federation/inbox/AnyActivity.test.ts",
  "packages/node/test/federation/remote/HostileOrigins.test.ts",
  "packages/node/test/platform/http/ApiDocsPage.test.ts",
  "packages/node/test/runner/BadResults.test.ts",
  "packages/node/test/runner/Losses.test.ts",
  "packages/node/test/security/Paging.test.ts",
  "packages/node/test/security/audit/AuditTrail.test.ts",
  "packages/node/test/video/file/LeaksNowhere.test.ts",
  "packages/node/test/video/sync/Synchronising.test.ts",
  "packages/node/test/video/ytdlp/YtDlp.test.ts",
  "packages/node/test/web-pages/AccountPages.test.ts",
  "packages/node/test/web-pages/AppearancePage.test.ts",
  "packages/node/test/web-pages/Codecs.test.ts",
  "packages/node/test/web-pages/EmbedApi.test.ts",
  "packages/node/test/web-pages/LoginPages.test.ts",
  "packages/node/test/web-pages/PlayerFeatures.test.ts",
  "packages/node/test/web-pages/SignupPage.test.ts",
  "packages/node/test/web-pages/SubscriptionsPage.test.ts"
]

/** Twice the cores of the machines this runs on: many tests wait, for an outage to end or a page. */
const maxWorkers = 4

const common = {
  environment: "node",
  maxWorkers,
  // Whoever makes a node for each suite fills the heap with what soon is garbage: a tenth of the work was collecting it.
  execArgv: ["--max-semi-space-size=64"]
} as const
const patient = { testTimeout: 180_000, hookTimeout: 180_000 } as const

const shared = {
  ...common,
  // Files share the modules that a worker has read and warmed, and nothing else: a third less work.
  isolate: false,
  // And keys of actors and hashes of passwords, the costliest parts of a suite's node.
  setupFiles: ["packages/node/test/support/KeysInTurn.ts", "packages/node/test/support/CheapPasswords.ts"]
}

export default defineConfig({
  cacheDir: ".cache/vitest",
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 15_000,
    // What passing tests print would bury what failed.
    silent: "passed-only",
    projects: [
      {
        extends: true,
        test: { name: "unit", include: everything, exclude: [...endToEnd, ...slow, ...slowUnits], ...shared }
      },
      {
        extends: true,
        // In one group with the others, whose number of workers must be the same, and before them, as their names come
        // before theirs: the longest files run first, and short ones fill what the last of them leave free.
        test: { name: "e2e", include: endToEnd, exclude: slow, ...common, ...patient }
      },
      {
        extends: true,
        test: { name: "slow", include: slow, ...common, ...patient }
      },
      {
        extends: true,
        test: { name: "slow-unit", include: slowUnits, ...shared }
      }
    ]
  }
})
