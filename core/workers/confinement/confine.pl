# Starts a worker process that the Linux kernel confines, in place of this one: same process id, same pipes.
# Perl, because every Debian and Ubuntu has it (perl-base is essential) and it can make any system call, where a program
# of our own would need a compiler. The policy comes from confinement.ts; this file only hands it to the kernel.
#
#   perl confine.pl FILTER DATA [--read PATH | --run PATH]... -- COMMAND ARGUMENT...
#
# FILTER is the seccomp filter in hexadecimal digits, DATA the most private memory in bytes (0: no limit).
# Without a command it prints the version of Landlock that the kernel has (0: none), and ends.
use strict;
use warnings;

my %NUMBERS = (
    x86_64  => { prctl => 157, setrlimit => 160, capset => 126, seccomp => 317 },
    aarch64 => { prctl => 167, setrlimit => 164, capset => 91,  seccomp => 277 },
);
# The same on both.
my ( $CREATE_RULESET, $ADD_RULE, $RESTRICT_SELF ) = ( 444, 445, 446 );

require POSIX;
my $machine = ( POSIX::uname() )[4];
my $number  = $NUMBERS{$machine} or die "no system calls are known for $machine\n";

# Every step either works or ends this program; the caller then starts the worker without it.
sub ask {
    my ( $what, $call, @arguments ) = @_;
    my $answer = syscall( $call, @arguments );
    die "$what: $!\n" if $answer == -1;
    return $answer;
}

# LANDLOCK_CREATE_RULESET_VERSION; an error means that this kernel has none.
my $landlock = syscall( $CREATE_RULESET, 0, 0, 1 );
$landlock = 0 if $landlock < 0;

my ( $filter, $data ) = ( pack( 'H*', shift @ARGV ), shift @ARGV );
my ( @read, @run );
while ( defined( my $option = shift @ARGV ) ) {
    last if $option eq '--';
    push @{ $option eq '--run' ? \@run : \@read }, shift @ARGV;
}

# Descriptors that the service or the program which started it left open: a worker keeps its standard streams and its pipe.
my $pipe = $ENV{NODE_CHANNEL_FD} // 2;
opendir( my $descriptors, '/proc/self/fd' ) or die "/proc/self/fd: $!\n";
my @open = grep { /^\d+$/ && $_ > 2 && $_ != $pipe } readdir $descriptors;
closedir $descriptors;
POSIX::close($_) for @open;

# RLIMIT_FSIZE and RLIMIT_CORE: no byte into any file. RLIMIT_DATA: memory.
for my $limit ( [ 1, 0 ], [ 4, 0 ], $data > 0 ? [ 2, $data ] : () ) {
    my ( $kind, $most ) = @$limit;
    my $value = pack( 'QQ', $most, $most );
    ask( 'setrlimit', $number->{setrlimit}, $kind, $value );
}

# PR_SET_PDEATHSIG: the end of the service ends the worker, whatever the worker does.
ask( 'PR_SET_PDEATHSIG', $number->{prctl}, 1, 9, 0, 0, 0 );
# Root without capabilities: PR_CAPBSET_DROP fails for those that this account does not have, and for the first that does not exist.
for my $capability ( 0 .. 63 ) { syscall( $number->{prctl}, 24, $capability, 0, 0, 0 ) }
my ( $header, $none ) = ( pack( 'Ll', 0x20080522, 0 ), pack( 'L6', (0) x 6 ) );
ask( 'capset', $number->{capset}, $header, $none );
ask( 'PR_SET_NO_NEW_PRIVS', $number->{prctl}, 38, 1, 0, 0, 0 );

if ( $landlock > 0 ) {
    # linux/landlock.h: all access to files that this version knows, TCP (from 4), abstract sockets and signals (from 6).
    my $files  = ( 1 << ( $landlock >= 5 ? 16 : $landlock >= 3 ? 15 : $landlock == 2 ? 14 : 13 ) ) - 1;
    my $rules  = pack( 'Q*', $files, $landlock >= 4 ? 3 : (), $landlock >= 6 ? 3 : () );
    my $opened = ask( 'landlock_create_ruleset', $CREATE_RULESET, $rules, length $rules, 0 );
    my ( $EXECUTE, $READ_FILE, $READ_FOLDER ) = ( 1, 4, 8 );
    for my $rule ( ( map { [ $_, $READ_FILE ] } @read ), ( map { [ $_, $READ_FILE | $EXECUTE ] } @run ) ) {
        my ( $path, $access ) = @$rule;
        # O_PATH | O_CLOEXEC. A path that this machine does not have needs no rule.
        sysopen( my $handle, $path, 010000000 | 02000000 ) or next;
        $access |= $READ_FOLDER if -d $path;
        my $beneath = pack( 'Ql', $access, fileno $handle );
        ask( "landlock_add_rule $path", $ADD_RULE, $opened, 1, $beneath, 0 );
    }
    ask( 'landlock_restrict_self', $RESTRICT_SELF, $opened, 0 );
}

if ( !@ARGV ) {
    print "$landlock\n";
    exit 0;
}

# SECCOMP_SET_MODE_FILTER with SECCOMP_FILTER_FLAG_SPEC_ALLOW: without it, kernels before 5.16 slow the whole process down.
my $program = pack( 'S x6 P', length($filter) / 8, $filter );
ask( 'seccomp', $number->{seccomp}, 1, 4, $program );
exec {$ARGV[0]} @ARGV or die "$ARGV[0]: $!\n";
