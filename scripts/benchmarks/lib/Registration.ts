/** A token with which runners register, made by an administrator. */
export const registrationToken = async (url: string, token: string): Promise<string> => {
  const path = `${url}/api/v1/runners/registration-tokens`
  const headers = { authorization: `Bearer ${token}` }
  await fetch(`${path}/generate`, { method: "POST", headers })
  const listed = (await (await fetch(path, { headers })).json()) as {
    data: ReadonlyArray<{ registrationToken: string }>
  }
  const made = listed.data[0]?.registrationToken
  if (made === undefined) throw new Error("no registration token")
  return made
}
