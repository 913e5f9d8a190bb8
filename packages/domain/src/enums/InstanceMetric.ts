/** Figures of the instance of which the last in a step stands for it. Sizes in bytes; what waits is a number of things. */
export const instanceLevels = [
  "users",
  "videos",
  "views",
  "fileBytes",
  "databaseBytes",
  "followers",
  "following",
  "deliveriesWaiting",
  "activitiesWaiting",
  "jobsWaiting"
] as const
export type InstanceLevel = (typeof instanceLevels)[number]

/** Figures of the instance that are added up over a step. */
export const instanceCounts = [
  "requests",
  "responseBytes",
  "deliveries",
  "deliveriesFailed",
  "activitiesApplied",
  "activitiesRefused",
  "jobsCompleted",
  "jobsFailed"
] as const
export type InstanceCount = (typeof instanceCounts)[number]

export type InstanceMetric = InstanceLevel | InstanceCount
