/** The actor the instance itself acts as; other instances look it up under this name. */
export const applicationActorName = "peertube"
