/** Whether something was chosen before this script was there. */
const isChosenAlready = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll("select")].some((select) => {
    const shown = [...select.options].findIndex((it) => it.defaultSelected)
    return select.selectedIndex !== Math.max(0, shown)
  })

/** Filters apply as soon as they are chosen, and leave no empty parameters in the address. */
export const enhanceFilters = (form: HTMLFormElement): void => {
  // What was chosen already still needs the button.
  if (!isChosenAlready(form)) form.querySelector<HTMLButtonElement>("button[type=submit]")?.remove()
  form.addEventListener("change", () => {
    const given = [...new FormData(form)].filter(
      (it): it is [string, string] => typeof it[1] === "string" && it[1] !== ""
    )
    const query = new URLSearchParams(given).toString()
    location.assign(query === "" ? form.action : `${form.action}?${query}`)
  })
}
