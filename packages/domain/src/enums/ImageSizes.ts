/** Sizes every picture of an actor is made in, largest first, in pixels (contract: ImageSizes). */
export const imageSizes = {
  avatar: [
    { width: 1500, height: 1500 },
    { width: 600, height: 600 },
    { width: 120, height: 120 },
    { width: 48, height: 48 }
  ],
  banner: [
    { width: 1920, height: 317 },
    { width: 600, height: 100 }
  ]
} as const

/** What a picture of an actor is for. */
export type ActorImageType = keyof typeof imageSizes

/** Ids of the same (contract: ActorImageType). */
export const actorImageTypeIds: Readonly<Record<ActorImageType, 1 | 2>> = { avatar: 1, banner: 2 }
