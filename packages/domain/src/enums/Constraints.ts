/** Bounds of fields, lengths in characters (contract: Constraints). Bounds that configuration decides are not here. */
export const constraints = {
  pagination: { start: { min: 0, max: 2_147_483_647 }, count: { min: 0, documentedMin: 1, max: 100, default: 15 } },
  search: { min: 0, max: 500 },
  view: { uaInfo: { min: 1, max: 200 } },
  stats: { series: { maxDays: 3650 } },
  user: {
    username: { min: 1, max: 50, pattern: /^[a-z0-9._]+$/ },
    displayName: { min: 1, max: 120 },
    password: { min: 6, max: 50, maxBytes: 72 },
    description: { min: 3, max: 1000 },
    languages: { max: 500 }
  },
  actor: { handle: { min: 1, max: 500 } },
  channel: {
    name: { min: 1, max: 50, pattern: /^[A-Za-z0-9\-_.:]+$/ },
    displayName: { min: 1, max: 120 },
    description: { min: 3, max: 1000 },
    support: { min: 3, max: 1000 }
  },
  oauthClient: { length: 32 },
  video: {
    name: { min: 3, max: 120 },
    language: { min: 1, max: 12 },
    description: { min: 3, max: 10_000 },
    truncatedDescription: { max: 250 },
    support: { min: 3, max: 1000 },
    nsfwSummary: { min: 3, max: 250 },
    tags: { max: 5 },
    tag: { min: 2, max: 30 },
    password: { min: 2, max: 100 },
    passwords: { max: 100 },
    image: { extensions: [".png", ".jpg", ".jpeg", ".webp"], maxBytes: 8 * 1024 * 1024 },
    sourceFilename: { min: 1, max: 1000 }
  },
  /**
   * `lists` and `all` are ours: how many lists an account has, and how many words and letters they have together, those of
   * subscriptions included. Comments are compared with all of them.
   */
  watchedWords: {
    listName: { min: 1, max: 100 },
    words: { min: 1, max: 500 },
    word: { min: 1, max: 100 },
    lists: { max: 500 },
    all: { words: 25_000, letters: 500_000 }
  },
  /** Ours: the contract has no bounds. */
  listSubscription: { url: { min: 3, max: 2000 }, name: { max: 100 }, perAccount: { max: 20 }, instance: { max: 100 } },
  /** Ours: PeerTube has no groups of subscriptions. */
  subscriptionGroup: { name: { min: 1, max: 50 }, channels: { max: 500 }, perUser: { max: 50 } },
  videoBlock: { reason: { min: 2, max: 300 }, internalNote: { min: 2, max: 3000 } },
  import: { url: { min: 3, max: 2000 }, torrent: { maxBytes: 200 * 1024 } },
  actorImage: { extensions: [".png", ".jpeg", ".jpg", ".gif", ".webp"], maxBytes: 8 * 1024 * 1024 },
  logo: { extensions: [".png", ".jpeg", ".jpg", ".gif", ".webp"], maxBytes: 8 * 1024 * 1024 },
  chapter: { title: { min: 1, max: 100 }, max: 500 },
  playlist: {
    displayName: { min: 1, max: 120 },
    description: { min: 3, max: 1000 },
    image: { maxBytes: 8 * 1024 * 1024 },
    /** Ours: the contract has none. */
    elements: { max: 5000 },
    perAccount: { max: 1000 }
  },
  /** `url` is ours: the contract has no bound. */
  clientLog: {
    message: { min: 1, max: 1000 },
    url: { min: 1, max: 2000 },
    stackTrace: { min: 1, max: 15_000 },
    meta: { min: 1, max: 15_000 },
    userAgent: { min: 1, max: 200 }
  },
  contact: { fromName: { min: 1, max: 120 }, subject: { min: 1, max: 120 }, body: { min: 3, max: 5000 } },
  /** Ours: the contract has no bound. */
  homepage: { content: { min: 0, max: 100_000 } },
  caption: { extensions: [".vtt", ".srt"], maxBytes: 20 * 1024 * 1024 },
  abuse: {
    reason: { min: 2, max: 3000 },
    reasons: { max: 8 },
    moderationComment: { min: 2, max: 3000 },
    message: { min: 2, max: 3000 },
    /** Ours: the contract has no bounds. Lists of messages are not paged. */
    messages: { max: 200 },
    seconds: { max: 7 * 86_400 }
  },
  comment: {
    text: { min: 1, max: 10_000 },
    /**
     * `budget` is what `treeBudget` may come to; `comments` is how many comments one answer has at most, `commentBytes` how long
     * their texts are together: a page of the longest fits.
     */
    tree: {
      maxDepth: { default: 5, max: 50 },
      repliesPerLevel: { default: 10, max: 100 },
      budget: 2_000_000,
      comments: 2_000,
      commentBytes: 4 * 1024 * 1024
    }
  }
} as const
