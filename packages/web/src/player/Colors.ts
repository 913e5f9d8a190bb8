/** A colour in hexadecimal, by its name, or as one of CSS's functions of numbers: no variables, no addresses. */
const shape = /^(?:#[0-9a-f]{3,8}|[a-z]{3,24}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\([\d\s.,%/+a-z-]{1,60}\))$/i

/** A colour from an address; undefined for whatever has not the shape of one. */
export const colorOf = (text: string | null): string | undefined => {
  const color = text?.trim() ?? ""
  return shape.test(color) ? color : undefined
}

export interface Colors {
  /** Behind the big play button. */
  readonly bigPlay: string | undefined
  /** Of icons and words. */
  readonly foreground: string | undefined
}

/** Colours the player. Values that the browser does not read as a colour change nothing. */
export const applyColors = (root: HTMLElement, { bigPlay, foreground }: Colors): void => {
  const set = (name: string, color: string | undefined) => {
    if (color !== undefined && CSS.supports("color", color)) root.style.setProperty(name, color)
  }
  set("--kp-big", bigPlay)
  set("--kp-fore", foreground)
}
