/** Bits of `include`: what lists of videos add to each item or no longer leave out. */
export const VideoInclude = {
  none: 0,
  notPublishedState: 1,
  blacklisted: 2,
  blockedOwner: 4,
  files: 8,
  captions: 16,
  source: 32,
  automaticTags: 64,
  tags: 128
} as const

/** All bits together: the largest value of `include`. */
export const allVideoIncludes = 255

/** Whether a bit set has a bit. */
export const includes = (set: number, bit: number): boolean => (set & bit) !== 0
