/**
 * The seccomp filter of a worker process: which system calls it may not make. Numbers are those of the kernel's headers
 * (asm/unistd_64.h for x64, asm-generic/unistd.h for arm64); a call that an architecture does not have is null.
 */

/** The architectures that have a filter, by Node's names. */
export type FilteredArchitecture = 'x64' | 'arm64';

type Numbers = readonly [x64: number | null, arm64: number | null];

/** Refused with any arguments. */
const REFUSED: Record<string, Numbers> = {
  // Network and local sockets: a worker speaks over the one pipe that it inherits.
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  bind: [49, 200],
  listen: [50, 201],
  accept: [43, 202],
  accept4: [288, 242],
  // Other programs, and other processes.
  fork: [57, null],
  vfork: [58, null],
  execveat: [322, 281],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  kcmp: [312, 272],
  // Signals.
  kill: [62, 129],
  tkill: [200, 130],
  tgkill: [234, 131],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
  pidfd_send_signal: [424, 424],
  // Scheduling and memory of other processes.
  sched_setaffinity: [203, 122],
  sched_setscheduler: [144, 119],
  sched_setparam: [142, 118],
  sched_setattr: [314, 274],
  ioprio_set: [251, 30],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  // Ways round this filter, and parts of the kernel that are attack surface without use.
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  unshare: [272, 97],
  setns: [308, 268],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  fanotify_init: [300, 262],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Memory and messages shared with other processes of the account.
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  semget: [64, 190],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  // Changes of files and folders, also of those that Landlock does not cover (rights, owners, times, attributes).
  creat: [85, null],
  truncate: [76, 45],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  chown: [92, null],
  fchown: [93, 55],
  lchown: [94, null],
  fchownat: [260, 54],
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
  utime: [132, null],
  utimes: [235, null],
  futimesat: [261, null],
  utimensat: [280, 88],
  mkdir: [83, null],
  mkdirat: [258, 34],
  rmdir: [84, null],
  mknod: [133, null],
  mknodat: [259, 33],
  link: [86, null],
  linkat: [265, 37],
  symlink: [88, null],
  symlinkat: [266, 36],
  rename: [82, null],
  renameat: [264, 38],
  renameat2: [316, 276],
  unlink: [87, null],
  unlinkat: [263, 35],
};

/** The arguments of a call, counted from 0, that decide whether it is refused; `any`: one of the bits, `lacks`: not all. */
const REFUSED_WITH: { call: Numbers; argument: number; when: 'any' | 'lacks'; bits: number }[] = [
  // Opening a file to write, create, truncate or append: O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND.
  { call: [2, null], argument: 1, when: 'any', bits: 0x643 },
  { call: [257, 56], argument: 2, when: 'any', bits: 0x643 },
  // A new process: everything that is not a thread of this one (CLONE_THREAD).
  { call: [56, 220], argument: 0, when: 'lacks', bits: 0x10000 },
  // Limits and priority of another process: 0 means this one.
  { call: [302, 261], argument: 0, when: 'any', bits: 0xffffffff },
  { call: [141, 140], argument: 1, when: 'any', bits: 0xffffffff },
];

/**
 * Commands that are refused of a call with many uses. Each directs a signal that a pipe or terminal of the worker causes at a
 * process that the worker names, or writes into a terminal as if its user typed.
 */
const REFUSED_COMMANDS: { call: Numbers; argument: number; commands: readonly number[] }[] = [
  // fcntl: F_SETOWN, F_SETSIG, F_SETOWN_EX.
  { call: [72, 25], argument: 1, commands: [8, 10, 15] },
  // ioctl: FIOSETOWN, SIOCSPGRP, TIOCSTI, TIOCLINUX.
  { call: [16, 29], argument: 1, commands: [0x8901, 0x8902, 0x5412, 0x541c] },
];

/** Their arguments lie in memory, which a filter cannot read; libraries that get "not implemented" use the older calls. */
const ABSENT: Record<string, Numbers> = { clone3: [435, 435], openat2: [437, 437] };
/** Calls that were added after this one are unknown here, and absent too; so are those of x32, from 0x40000000 on. */
const NEWEST_KNOWN = 448;

// Classic BPF (linux/bpf_common.h, linux/filter.h, linux/seccomp.h).
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_GREATER = 0x25;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const FAIL = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;
const AUDIT_ARCHITECTURE: Record<FilteredArchitecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** Offsets in struct seccomp_data; an argument's low half comes first on both architectures. */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
const argumentAt = (index: number) => 16 + 8 * index;

/** One instruction: what it does, how many to skip if the comparison holds and if it does not, and its operand. */
type Instruction = readonly [code: number, ifSo: number, ifNot: number, operand: number];

/** The filter as the kernel reads it: an array of struct sock_filter, 8 bytes each. */
export function systemCallFilter(architecture: FilteredArchitecture): Buffer {
  const own = ([x64, arm64]: Numbers) => (architecture === 'x64' ? x64 : arm64);
  const instructions: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [IF_EQUAL, 1, 0, AUDIT_ARCHITECTURE[architecture]],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER_AT],
    [IF_GREATER, 0, 1, NEWEST_KNOWN],
    [RETURN, 0, 0, FAIL | ENOSYS],
  ];
  const refuse = (numbers: Record<string, Numbers>, error: number) => {
    for (const call of Object.values(numbers)) {
      const number = own(call);
      if (number !== null) instructions.push([IF_EQUAL, 0, 1, number], [RETURN, 0, 0, FAIL | error]);
    }
  };
  refuse(ABSENT, ENOSYS);
  refuse(REFUSED, EPERM);
  for (const { call, argument, when, bits } of REFUSED_WITH) {
    const number = own(call);
    if (number === null) continue;
    instructions.push(
      [IF_EQUAL, 0, 4, number],
      [LOAD, 0, 0, argumentAt(argument)],
      when === 'any' ? [IF_ANY_BIT, 0, 1, bits] : [IF_ANY_BIT, 1, 0, bits],
      [RETURN, 0, 0, FAIL | EPERM],
      [RETURN, 0, 0, ALLOW],
    );
  }
  for (const { call, argument, commands } of REFUSED_COMMANDS) {
    const number = own(call);
    if (number === null) continue;
    instructions.push(
      [IF_EQUAL, 0, 2 + 2 * commands.length, number],
      [LOAD, 0, 0, argumentAt(argument)],
      ...commands.flatMap((command): Instruction[] => [
        [IF_EQUAL, 0, 1, command],
        [RETURN, 0, 0, FAIL | EPERM],
      ]),
      [RETURN, 0, 0, ALLOW],
    );
  }
  instructions.push([RETURN, 0, 0, ALLOW]);
  const filter = Buffer.alloc(8 * instructions.length);
  for (const [index, [code, ifSo, ifNot, operand]] of instructions.entries()) {
    filter.writeUInt16LE(code, 8 * index);
    filter.writeUInt8(ifSo, 8 * index + 2);
    filter.writeUInt8(ifNot, 8 * index + 3);
    filter.writeUInt32LE(operand >>> 0, 8 * index + 4);
  }
  return filter;
}
