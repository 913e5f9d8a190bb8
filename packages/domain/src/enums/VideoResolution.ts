import type { Labelled } from "./Labelled.ts"

/** Resolutions of the ladder by height; 0 is audio alone. */
export const videoResolutions = [0, 144, 240, 360, 480, 720, 1080, 1440, 2160] as const

/** `{ id, label }` of a resolution: "720p", or "Audio only" for 0. */
export const videoResolution = (id: number): Labelled<number> => ({ id, label: id === 0 ? "Audio only" : `${id}p` })
