/** Red, green and blue, each from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Luminance of a colour (WCAG 2.2, relative luminance). */
const luminance = (colour: Rgb): number => {
  const [red = 0, green = 0, blue = 0] = colour.map((it) => {
    const part = it / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How well a colour is read on another, from 1 to 21 (WCAG 2.2, contrast ratio). */
export const contrast = (one: Rgb, other: Rgb): number => {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

/** As a field for colours takes it: `#0b7a5e`. */
export const hexOf = (colour: Rgb): string => `#${colour.map((it) => it.toString(16).padStart(2, "0")).join("")}`

/** One pixel in a colour of CSS, which the browser itself reads; undefined where it knows no such colour. */
export const rgbOf = (css: string): Rgb | undefined => {
  if (!CSS.supports("color", css)) return undefined
  const canvas = document.createElement("canvas")
  canvas.width = 1
  canvas.height = 1
  const drawing = canvas.getContext("2d", { willReadFrequently: true })
  if (drawing === null) return undefined
  drawing.fillStyle = css
  drawing.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = drawing.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
