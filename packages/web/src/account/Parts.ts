/** An instant as people here write it. */
export const time = (iso: string): string => {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleString()
}

export const element = <K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag)
  made.textContent = text
  return made
}

/** Bytes in words: `12.3 MB`. */
export const bytes = (count: number): string => {
  const units = ["bytes", "kB", "MB", "GB", "TB"]
  let at = 0
  let left = count
  while (left >= 1000 && at < units.length - 1) {
    left /= 1000
    at++
  }
  return `${at === 0 ? left : left.toFixed(1)} ${units[at]}`
}

/** Says something below a form, where screen readers hear it. */
export const showStatus = (form: HTMLElement, text: string, failed = false): void => {
  const place = form.querySelector<HTMLElement>(".outcome")
  if (place === null) return
  place.classList.toggle("failed", failed)
  place.textContent = text
}
