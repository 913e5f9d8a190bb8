import { assert, layer } from "@effect/vitest"
import { hasRight } from "@kinora/domain/enums/UserRight"
import { UserRole } from "@kinora/domain/enums/UserRole"
import { Effect } from "effect"
import { fillAbout, known, operations } from "./Operations.ts"
import { addVideo, ask, people, runningNode, traces } from "./RunningNode.ts"

/**
 * What another user and a moderator get from each operation that needs a token, asked about the administrator and
 * the administrator's video without a body. Operations that are added must be added here.
 */
const matrix: Readonly<Record<string, readonly [user: number, moderator: number]>> = {
  getUserInfo: [200, 200],
  putUserInfo: [204, 204],
  deleteMe: [204, 204],
  getUsersMeVideoQuotaUsed: [200, 200],
  getUsersMeVideos: [200, 200],
  getUsersMeSubscriptionsVideos: [200, 200],
  getUsersMeSubscriptions: [200, 200],
  postUsersMeSubscriptions: [400, 400],
  getUsersMeSubscriptionsExist: [400, 400],
  getUsersMeSubscriptionsBySubscriptionHandle: [404, 404],
  deleteUsersMeSubscriptionsBySubscriptionHandle: [404, 404],
  getUsersMeSubscriptionGroups: [200, 200],
  postUsersMeSubscriptionGroups: [400, 400],
  putUsersMeSubscriptionGroupsByGroupId: [404, 404],
  deleteUsersMeSubscriptionGroupsByGroupId: [404, 404],
  getUsersMeNotifications: [200, 200],
  postUsersMeNotificationsRead: [400, 400],
  postUsersMeNotificationsReadAll: [204, 204],
  addPlaylist: [400, 400],
  putVideoPlaylistsByPlaylistId: [404, 404],
  deleteVideoPlaylistsByPlaylistId: [404, 404],
  addVideoPlaylistVideo: [400, 400],
  reorderVideoPlaylist: [400, 400],
  putVideoPlaylistVideo: [404, 404],
  delVideoPlaylistVideo: [404, 404],
  getUsersMeVideoPlaylistsVideosExist: [400, 400],
  reorderVideoPlaylistsOfChannel: [400, 400],
  getUsersMeVideosImports: [200, 200],
  getUsersMeVideosRating: [200, 200],
  putUsersMeNotificationSettings: [400, 400],
  postUsersMeNewFeatureInfoRead: [400, 400],
  postUsersMeAvatarPick: [415, 415],
  deleteUsersMeAvatar: [204, 204],
  getAccountFollowers: [403, 200],
  getAccountsRatings: [403, 403],
  getAccountsVideoChannelSyncs: [403, 403],
  addVideoChannelSync: [400, 400],
  delVideoChannelSync: [404, 404],
  triggerVideoChannelSync: [404, 404],
  addVideoChannel: [400, 400],
  putVideoChannel: [403, 204],
  delVideoChannel: [403, 409],
  getVideoChannelFollowers: [403, 200],
  postVideoChannelsAvatarPick: [403, 415],
  deleteVideoChannelsAvatar: [403, 204],
  postVideoChannelsBannerPick: [403, 415],
  deleteVideoChannelsBanner: [403, 204],
  postVideoChannelsImportVideos: [400, 400],
  listVideoChannelCollaborators: [403, 200],
  inviteVideoChannelCollaborator: [400, 400],
  acceptVideoChannelCollaborator: [403, 404],
  rejectVideoChannelCollaborator: [403, 404],
  removeVideoChannelCollaborator: [403, 404],
  listVideoChannelActivities: [403, 200],
  getVideosOwnership: [200, 200],
  postVideosOwnershipAccept: [400, 400],
  postVideosOwnershipRefuse: [404, 404],
  deleteVideosOwnershipById: [404, 404],
  getVideosOwnership2: [403, 403],
  postVideosGiveOwnership: [400, 400],
  getVideoChannelsOwnership: [200, 200],
  postVideoChannelsOwnershipAccept: [404, 404],
  postVideoChannelsOwnershipRefuse: [404, 404],
  deleteVideoChannelsOwnershipById: [404, 404],
  getVideoChannelsOwnership2: [403, 403],
  postVideoChannelsGiveOwnership: [400, 400],
  deleteServerFollowersByHandle: [403, 403],
  postServerFollowersReject: [403, 403],
  postServerFollowersAccept: [403, 403],
  getServerFederationHosts: [403, 403],
  getServerFederationHost: [403, 403],
  postServerFederationHostRetry: [403, 403],
  postServerFollowing: [403, 403],
  deleteServerFollowingByHostOrHandle: [403, 403],
  putServerRedundancyByHost: [403, 403],
  getMirroredVideos: [403, 403],
  putMirroredVideo: [403, 403],
  delMirroredVideo: [403, 403],
  putCustomPagesHomepageInstance: [403, 403],
  getCustomConfig: [403, 403],
  getInstanceLogs: [403, 403],
  getInstanceAuditLogs: [403, 403],
  runDebugCommand: [403, 403],
  postConfigInstanceBannerPick: [403, 403],
  deleteConfigInstanceBanner: [403, 403],
  postConfigInstanceAvatarPick: [403, 403],
  deleteConfigInstanceAvatar: [403, 403],
  postConfigInstanceLogoPick: [403, 403],
  deleteConfigInstanceLogoByLogoType: [403, 403],
  getCustomConfigOrigins: [403, 403],
  putCustomConfig: [403, 403],
  delCustomConfig: [403, 403],
  listRegistrations: [403, 200],
  acceptRegistration: [403, 400],
  rejectRegistration: [403, 400],
  deleteRegistration: [403, 404],
  getUsers: [403, 200],
  addUser: [403, 400],
  getUser: [403, 200],
  putUser: [403, 403],
  delUser: [403, 403],
  postUsersBlock: [403, 403],
  postUsersUnblock: [403, 403],
  postUsersBulkBlock: [403, 400],
  postUsersBulkUnblock: [403, 400],
  postUsersBulkDelete: [403, 400],
  getUsersNotes: [403, 403],
  postUsersNotes: [403, 400],
  putUsersNotesByNoteId: [403, 400],
  deleteUsersNotesByNoteId: [403, 403],
  getServerWebhooks: [403, 403],
  postServerWebhooks: [403, 403],
  getServerWebhook: [403, 403],
  putServerWebhook: [403, 403],
  deleteServerWebhook: [403, 403],
  postServerWebhookSecret: [403, 403],
  postServerWebhookPing: [403, 403],
  getServerWebhookDeliveries: [403, 403],
  postServerWebhookDeliveryReplay: [403, 403],
  postServerWebhookReplay: [403, 403],
  getUsersMailings: [403, 403],
  postUsersMailings: [403, 403],
  postUsersMailingsPreview: [403, 403],
  getUsersMailing: [403, 403],
  postUsersMailingsCancel: [403, 403],
  confirmMyPassword: [400, 400],
  getUsersTokenSessions: [403, 403],
  postUsersTokenSessionsRevoke: [403, 403],
  requestTwoFactor: [403, 403],
  confirmTwoFactorRequest: [400, 400],
  disableTwoFactor: [403, 403],
  getMyRecoveryCodes: [200, 200],
  renewMyRecoveryCodes: [400, 400],
  getScopedTokens: [200, 200],
  renewScopedTokens: [200, 200],
  revokeOAuthToken: [200, 200],
  getDebug: [403, 403],
  getInstanceTimeSeries: [403, 403],
  getJobs: [403, 403],
  postJobsPause: [403, 403],
  postJobsResume: [403, 403],
  postRunnersRegistrationTokensGenerate: [403, 403],
  getRunnersRegistrationTokens: [403, 403],
  deleteRunnersRegistrationTokensByRegistrationTokenId: [403, 403],
  getRunners: [403, 403],
  deleteRunnersByRunnerId: [403, 403],
  getRunnersJobs: [403, 403],
  postRunnersJobsCancel: [403, 403],
  postRunnersJobsRetry: [403, 403],
  deleteRunnersJobsByJobUUID: [403, 403],
  getVideoSource: [403, 200],
  getVideosStatsOverall: [403, 200],
  getVideosStatsRetention: [403, 200],
  getVideosStatsTimeseriesByMetric: [400, 400],
  getVideosStatsUserAgent: [403, 200],
  getUsersMeHistoryVideos: [200, 200],
  deleteUsersMeHistoryVideosByVideoIdOrUUID: [204, 204],
  postUsersMeHistoryVideosRemove: [204, 204],
  putVideo: [403, 204],
  replaceVideoChapters: [400, 400],
  getVideosComments: [403, 200],
  getUsersMeVideosComments: [200, 200],
  postVideosCommentThreads: [400, 400],
  postVideosCommentsByCommentId: [400, 400],
  deleteVideosCommentsByCommentId: [404, 404],
  postVideosCommentsApprove: [404, 404],
  putVideosRate: [400, 400],
  bulkRemoveCommentsOf: [400, 400],
  getMyAbuses: [200, 200],
  getAbuses: [403, 200],
  postAbuses: [400, 400],
  putAbusesByAbuseId: [403, 404],
  deleteAbusesByAbuseId: [403, 404],
  getAbusesMessages: [404, 404],
  postAbusesMessages: [400, 400],
  deleteAbusesMessagesByAbuseMessageId: [404, 404],
  getMyBlockedAccounts: [200, 200],
  blockAccount: [400, 400],
  unblockAccount: [404, 404],
  getMyBlockedServers: [200, 200],
  blockServer: [400, 400],
  unblockServer: [400, 400],
  getServerBlocklistAccounts: [403, 200],
  postServerBlocklistAccounts: [403, 400],
  deleteServerBlocklistAccountsByAccountName: [403, 404],
  getServerBlocklistServers: [403, 200],
  postServerBlocklistServers: [403, 400],
  deleteServerBlocklistServersByHost: [403, 400],
  listServerBlocklistSubscriptions: [403, 403],
  addServerBlocklistSubscription: [403, 403],
  deleteServerBlocklistSubscription: [403, 403],
  getWatchedWordsAccountsLists: [403, 403],
  postWatchedWordsAccountsLists: [400, 400],
  putWatchedWordsAccountsListsByListId: [403, 403],
  deleteWatchedWordsAccountsListsByListId: [403, 403],
  getWatchedWordsServerLists: [403, 200],
  postWatchedWordsServerLists: [403, 400],
  putWatchedWordsServerListsByListId: [403, 404],
  deleteWatchedWordsServerListsByListId: [403, 404],
  listAccountWatchedWordsSubscriptions: [403, 403],
  addAccountWatchedWordsSubscription: [400, 400],
  deleteAccountWatchedWordsSubscription: [403, 403],
  listServerWatchedWordsSubscriptions: [403, 200],
  addServerWatchedWordsSubscription: [403, 400],
  deleteServerWatchedWordsSubscription: [403, 404],
  getAutomaticTagsAccountsAvailable: [403, 403],
  getAutomaticTagsPoliciesAccountsComments: [403, 403],
  putAutomaticTagsPoliciesAccountsComments: [403, 403],
  getAutomaticTagsServerAvailable: [403, 200],
  getServerVideoAutoTagPolicies: [403, 200],
  updateServerVideoAutoTagPolicies: [403, 400],
  getVideoBlocks: [403, 200],
  addVideoBlock: [403, 204],
  updateVideoBlacklist: [403, 204],
  delVideoBlock: [403, 204],
  listVideoPasswords: [403, 400],
  addVideoPassword: [400, 400],
  updateVideoPasswordList: [400, 400],
  removeVideoPassword: [403, 400],
  addVideoCaption: [400, 400],
  delVideoCaption: [400, 400],
  generateVideoCaption: [403, 501],
  getVideoEmbedPrivacy: [403, 200],
  updateVideoEmbedPrivacy: [400, 400],
  updateVideoPlayerSettings: [400, 400],
  updateChannelPlayerSettings: [400, 400],
  postVideosStudioEdit: [403, 501],
  delVideo: [403, 204],
  delVideoHLS: [403, 403],
  delVideoHLSFile: [403, 403],
  delVideoWebVideos: [403, 403],
  delVideoWebVideoFile: [403, 403],
  importVideo: [400, 400],
  addLive: [403, 403],
  updateLiveId: [403, 404],
  renewStreamKey: [403, 404],
  endLive: [403, 409],
  getLiveHealth: [403, 200],
  markLive: [400, 400],
  listLiveMarks: [403, 200],
  getVideosLiveSessions: [403, 200],
  getVideosLiveSession: [403, 404],
  postVideosImportsCancel: [404, 404],
  postVideosImportsRetry: [404, 404],
  deleteVideosImportsById: [404, 404],
  deleteVideoSourceFile: [403, 403],
  createVideoTranscoding: [403, 403],
  getVideoProcessing: [403, 200],
  retryVideoProcessing: [403, 409],
  replaceVideoSourceResumableInit: [403, 403],
  replaceVideoSourceResumable: [403, 403],
  replaceVideoSourceResumableCancel: [403, 403],
  requestUserExport: [403, 403],
  listUserExports: [403, 403],
  deleteUserExport: [403, 403],
  getLatestUserImport: [403, 403],
  userImportResumableInit: [403, 403],
  userImportResumable: [403, 403],
  userImportResumableStatus: [403, 403],
  userImportResumableCancel: [403, 403],
  uploadLegacy: [415, 415],
  uploadResumableInit: [400, 400],
  uploadResumable: [400, 400],
  uploadResumableCancel: [403, 403]
}

/** These do what they are asked to, and are asked last. */
const blocks = ["addVideoBlock", "updateVideoBlacklist", "delVideoBlock"]
const harmful: ReadonlySet<string> = new Set(["revokeOAuthToken", "deleteMe", "delVideo", ...blocks])

layer(runningNode, { excludeTestServices: true, timeout: 120_000 })("API-09: who may do what", (it) => {
  it.effect(
    "no operation answers a request whose token is missing, made up, expired or malformed",
    () =>
      Effect.gen(function* () {
        const everybody = yield* people
        const values = { ...known, ...(yield* addVideo()) }
        const needing = (yield* operations).filter((operation) => operation.token === "needed")
        assert.isAbove(needing.length, 10)
        const before = yield* traces
        for (const { id, method, path } of needing) {
          for (const [headers, status, code] of [
            [everybody.anonymous, 401, "unauthorized_request"],
            [everybody.garbage, 401, "invalid_token"],
            [everybody.expired, 401, "invalid_token"],
            [{ authorization: "Bearer" }, 400, "invalid_request"],
            [{ authorization: "Basic cm9vdDpyb290" }, 400, "invalid_request"],
            [{ cookie: `access_token=${everybody.administrator["authorization"]}` }, 401, "unauthorized_request"]
          ] as const) {
            const answer = yield* ask(method, fillAbout(path, values), headers as Record<string, string>)
            const body = JSON.parse(answer.text) as Record<string, unknown>
            assert.deepStrictEqual([id, answer.status, body["code"]], [id, status, code])
            assert.include(answer.type, "application/problem+json")
            assert.notInclude(answer.text, "secret-name")
          }
        }
        assert.deepStrictEqual(yield* traces, before)
      }),
    // More than a thousand requests, on a machine that may be busy.
    300_000
  )

  it.effect("a token that is taken but bad never gives more than none", () =>
    Effect.gen(function* () {
      const everybody = yield* people
      const values = { ...known, ...(yield* addVideo()) }
      for (const { id, method, path, token } of yield* operations) {
        if (token !== "taken") continue
        const none = yield* ask(method, fillAbout(path, values), everybody.anonymous)
        for (const headers of [everybody.garbage, everybody.expired]) {
          const answer = yield* ask(method, fillAbout(path, values), headers)
          assert.include([401, none.status], answer.status, id)
          if (answer.status !== 401) assert.strictEqual(answer.text, none.text, id)
        }
      }
    })
  )

  it.effect("users and moderators do what their role lets them, and nothing else", () =>
    Effect.gen(function* () {
      const everybody = yield* people
      const values = { ...known, ...(yield* addVideo()) }
      const needing = (yield* operations).filter((operation) => operation.token === "needed")
      assert.deepStrictEqual(needing.map(({ id }) => id).toSorted(), Object.keys(matrix).toSorted())
      // What the contract says who has no right gets, the table must not say otherwise.
      const guarded = needing.filter(({ right }) => right !== undefined)
      assert.isAbove(guarded.length, 10)
      for (const { id, right } of guarded) {
        for (const [index, role] of [UserRole.user, UserRole.moderator].entries()) {
          if (!hasRight(role, right!)) assert.strictEqual(matrix[id]![index], 403, `${id} ${role}`)
        }
      }
      const before = yield* traces
      const check = Effect.fnUntraced(function* (role: "user" | "moderator") {
        for (const { id, method, path } of needing) {
          if (harmful.has(id)) continue
          const answer = yield* ask(method, fillAbout(path, values), everybody[role])
          assert.deepStrictEqual([role, id, answer.status], [role, id, matrix[id]![role === "user" ? 0 : 1]])
          if (answer.status === 403) {
            assert.notInclude(answer.text, "secret-name")
            assert.include(answer.type, "application/problem+json")
          }
        }
      })
      yield* check("user")
      yield* check("moderator")
      for (const id of [
        "getDebug",
        "getJobs",
        "getVideoSource",
        "getUser",
        "getUsersTokenSessions",
        "listRegistrations"
      ]) {
        const { method, path } = needing.find((operation) => operation.id === id)!
        assert.strictEqual((yield* ask(method, fillAbout(path, values), everybody.administrator)).status, 200, id)
      }
      const video = `/api/v1/videos/${values.id}`
      const [userDeletes, moderatorDeletes] = matrix["delVideo"]!
      assert.strictEqual((yield* ask("DELETE", video, everybody.user)).status, userDeletes)
      const asksBlocks = Effect.fnUntraced(function* (role: "user" | "moderator") {
        for (const id of blocks) {
          const { method, path } = needing.find((operation) => operation.id === id)!
          const { status } = yield* ask(method, fillAbout(path, values), everybody[role])
          assert.deepStrictEqual([role, id, status], [role, id, matrix[id]![role === "user" ? 0 : 1]])
        }
      })
      yield* asksBlocks("user")
      assert.deepStrictEqual(yield* traces, before)
      yield* asksBlocks("moderator")
      assert.strictEqual((yield* ask("DELETE", video, everybody.moderator)).status, moderatorDeletes)
      assert.strictEqual((yield* traces).rows["video"], before.rows["video"]! - 1)
      // Last, as it ends the sessions of the suite's people, and only those.
      for (const [role, index] of [
        ["user", 0],
        ["moderator", 1]
      ] as const) {
        const out = yield* ask("POST", "/api/v1/users/revoke-token", everybody[role])
        assert.strictEqual(out.status, matrix["revokeOAuthToken"]![index])
        assert.strictEqual((yield* ask("GET", "/api/v1/users/me", everybody[role])).status, 401)
      }
      assert.strictEqual((yield* ask("GET", "/api/v1/users/me", everybody.administrator)).status, 200)
    })
  )
})
