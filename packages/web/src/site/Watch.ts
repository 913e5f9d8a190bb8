import type { Player } from "../player/Player.ts"

const copy = async (button: HTMLButtonElement, text: string): Promise<void> => {
  const label = button.dataset["label"] ?? button.textContent ?? ""
  button.dataset["label"] = label
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = "Copied"
  } catch {
    button.textContent = "Not copied"
  }
  setTimeout(() => {
    button.textContent = label
  }, 1_800)
}

/** Copy buttons, the long description, and times in the text that seek. */
export const enhanceWatchPage = (player: Player, parseTime: (text: string | null) => number | undefined): void => {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    button.hidden = false
    button.addEventListener("click", () => void copy(button, button.dataset["copy"] ?? ""))
  }

  const description = document.querySelector<HTMLElement>(".description")
  const more = document.querySelector<HTMLButtonElement>(".description-more")
  if (description !== null && more !== null && description.scrollHeight > description.clientHeight + 4) {
    more.hidden = false
    more.addEventListener("click", () => {
      const open = description.classList.toggle("open")
      more.textContent = open ? "Show less" : "Show more"
      more.setAttribute("aria-expanded", String(open))
    })
  } else description?.classList.add("open")

  description?.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return
    const seconds = parseTime(event.target.closest("a[data-seek]")?.getAttribute("data-seek") ?? null)
    if (seconds === undefined) return
    event.preventDefault()
    player.seek(seconds)
    player.video.scrollIntoView({ block: "center", behavior: "smooth" })
  })
}
