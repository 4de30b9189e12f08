"""Runs a command in a pseudo-terminal. Stdout is what the terminal shows; stdin has one JSON object a line:
{"keys": text} or {"columns": number}. Ends with the command's exit code, or with 99 when it left the terminal raw."""
import fcntl, json, os, pty, select, struct, sys, termios

ROWS = 24


def resize(terminal, columns):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, 0, 0))


def is_usual(terminal):
    usual = termios.ECHO | termios.ICANON | termios.ISIG
    return termios.tcgetattr(terminal)[3] & usual == usual


terminal, inner = pty.openpty()
resize(terminal, 80)
child = os.fork()
if child == 0:
    os.setsid()
    fcntl.ioctl(inner, termios.TIOCSCTTY, 0)
    for stream in (0, 1, 2):
        os.dup2(inner, stream)
    os.close(terminal)
    os.execvp(sys.argv[1], sys.argv[1:])
# `inner` stays open, so that the state of the terminal can be read after its last program has gone.
commands = b""
sources = [terminal, 0]
while True:
    ready, _, _ = select.select(sources, [], [], 0.05)
    if 0 in ready:
        read = os.read(0, 65536)
        if not read:
            sources.remove(0)
        commands += read
        *lines, commands = commands.split(b"\n")
        for line in lines:
            command = json.loads(line)
            if "keys" in command:
                os.write(terminal, command["keys"].encode())
            else:
                resize(terminal, command["columns"])
    if terminal in ready:
        os.write(1, os.read(terminal, 65536))
        continue
    ended, status = os.waitpid(child, os.WNOHANG)
    if ended:
        code = os.waitstatus_to_exitcode(status)
        sys.exit(code if is_usual(inner) else 99)
