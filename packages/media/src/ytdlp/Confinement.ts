/** What a confined program may do. Paths are absolute; missing ones are left out. */
export interface Confines {
  /** Folders and files that it may read and execute. */
  readonly read: ReadonlyArray<string>
  /** The only folder it may write to. Nothing in it may be executed. */
  readonly folder: string
  /** The only port it may connect to. Undefined: none. */
  readonly port: number | undefined
  /** Bytes of address space, bytes per file, seconds of processor time. */
  readonly memory: number
  readonly fileSize: number
  readonly cpuSeconds: number
}

/** What programs need from a system: libraries, certificates, time zones. No accounts, no /proc, no home folders. */
export const systemPaths: ReadonlyArray<string> = [
  ...["/usr", "/lib", "/lib64", "/bin", "/sbin", "/nix/store", "/run/current-system/sw", "/etc/alternatives"],
  ...["/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types"],
  ...["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]
]

/**
 * A script that confines itself and then becomes the program. A network namespace with access to only the one port
 * needs a user namespace (user_namespaces(7)), which many machines allow for everybody and containers often do not.
 * Landlock (landlock(7)) needs neither privileges nor namespaces: files since Linux 5.13, TCP since 6.7, signals since
 * 6.12. Each is used if available. It is written in Python because yt-dlp is: where yt-dlp runs, Python exists.
 */
const script = `
import array, ctypes, fcntl, json, os, resource, signal, socket, struct, sys, threading
spec = json.loads(sys.argv[1])
libc = ctypes.CDLL(None, use_errno=True)
port = spec.get("port")

def call(*words):
    result = libc.syscall(*[ctypes.c_long(w) if isinstance(w, int) else w for w in words])
    if result < 0:
        raise OSError(ctypes.get_errno(), "confinement")
    return result

def lone_network():
    """The end of a new network that leads to the port, in a child; its listener and its id, in the parent."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            if libc.unshare(0x10000000 | 0x40000000) != 0:
                os._exit(1)
            door = socket.socket()
            fcntl.ioctl(door, 0x8914, struct.pack("16sH14x", b"lo", 1))
            door.bind(("127.0.0.1", port or 1))
            door.listen(64)
            theirs.sendmsg([b"y"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [door.fileno()]))])
        except BaseException:
            os._exit(1)
        for one in (ours, theirs, door):
            one.close()
        return None
    theirs.close()
    message, rights, _, _ = ours.recvmsg(1, socket.CMSG_SPACE(4))
    ours.close()
    if message != b"y":
        os.waitpid(child, 0)
        return ()
    return socket.socket(fileno=array.array("i", rights[0][2][:4])[0]), child

def carry(source, target):
    try:
        while True:
            data = source.recv(65536)
            if not data:
                break
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

def join(inner):
    outer = socket.socket()
    try:
        outer.connect(("127.0.0.1", port))
    except OSError:
        return inner.close()
    back = threading.Thread(target=carry, args=(outer, inner), daemon=True)
    back.start()
    carry(inner, outer)
    back.join()
    inner.close()
    outer.close()

def stand_between(door, child):
    def accept():
        while True:
            threading.Thread(target=join, args=(door.accept()[0],), daemon=True).start()
    if port:
        threading.Thread(target=accept, daemon=True).start()
    status = os.waitpid(child, 0)[1]
    os._exit(128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))

def limit(what, most):
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))

def lock():
    abi = libc.syscall(444, None, ctypes.c_long(0), ctypes.c_long(1))
    if abi < 1:
        return 0
    fs = (1 << (13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16)) - 1
    net = 3 if abi >= 4 else 0
    attributes = struct.pack("QQQ", fs, net, 3 if abi >= 6 else 0)[: 8 if abi < 4 else 16 if abi < 6 else 24]
    rules = call(444, ctypes.create_string_buffer(attributes, len(attributes)), len(attributes), 0)
    def allow(path, access):
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        if not os.path.isdir(path):
            access &= 0b111 | 1 << 14 | 1 << 15
        call(445, rules, 1, ctypes.create_string_buffer(struct.pack("=Qi", access & fs, fd), 12), 0)
        os.close(fd)
    for path in spec["read"] + [p for p in [sys.base_prefix] if p != "/"]:
        allow(path, 0b1101 | (2 if path == "/dev/null" else 0))
    allow(spec["folder"], 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | 1 << 14)
    if net and port:
        call(445, rules, 2, ctypes.create_string_buffer(struct.pack("QQ", 2, port), 16), 0)
    call(446, rules, 0)
    os.close(rules)
    return abi

inside = lone_network()
for cap in range(64):
    libc.prctl(24, cap, 0, 0, 0)
if libc.prctl(38, 1, 0, 0, 0) != 0:
    raise OSError(ctypes.get_errno(), "confinement")
limit(resource.RLIMIT_AS, spec["memory"])
limit(resource.RLIMIT_FSIZE, spec["fileSize"])
limit(resource.RLIMIT_CPU, spec["cpuSeconds"])
limit(resource.RLIMIT_NOFILE, 256)
limit(resource.RLIMIT_CORE, 0)
abi = lock()
libc.prctl(1, 9, 0, 0, 0)
if inside:
    stand_between(*inside)
if spec.get("report"):
    print(abi, "alone" if inside is None else "open", flush=True)
    os._exit(0)
os.execv(sys.argv[2], sys.argv[2:])
`

/** How well this machine can confine a program. */
export interface ConfinementPowers {
  readonly files: boolean
  /** TCP only to the proxy. */
  readonly network: boolean
  /** No other network at all, including datagrams. */
  readonly alone: boolean
}

/** Arguments of Python that query `ConfinementPowers`: it prints a line on stdout, for `readPowers`. */
export const powersArguments = (confines: Confines): ReadonlyArray<string> => [
  "-I",
  "-c",
  script,
  JSON.stringify({ ...confines, report: true })
]

export const readPowers = (output: string): ConfinementPowers => {
  const [, abi = "0", network] = /^(\d+) (alone|open)$/m.exec(output) ?? []
  const alone = network === "alone"
  return { files: Number(abi) >= 1, network: alone || Number(abi) >= 4, alone }
}

/** Arguments of Python that run a program (absolute path first) confined. */
export const confined = (confines: Confines, command: ReadonlyArray<string>): ReadonlyArray<string> => [
  "-I",
  "-c",
  script,
  JSON.stringify(confines),
  ...command
]
