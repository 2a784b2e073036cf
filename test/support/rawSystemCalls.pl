# Native code under the control of an attacker: makes system calls that Node has no function for, and prints those that
# worked. Arguments: process id of the service, a file of the service, a folder that could be written.
use strict;
use warnings;
my ( $core, $file, $folder ) = @ARGV;
my $arm = ( require POSIX, ( POSIX::uname() )[4] )[-1] eq 'aarch64';
my %calls = (
    'ptrace'              => [ $arm ? 117 : 101, 16, $core + 0, 0, 0 ],
    'process_vm_readv'    => [ $arm ? 270 : 310, $core + 0, pack( 'QQ', 0, 0 ), 0, pack( 'QQ', 0, 0 ), 0, 0 ],
    'kill'                => [ $arm ? 129 : 62, $core + 0, 0 ],
    'pidfd_open'          => [ 434, $core + 0, 0 ],
    'socket AF_UNIX'      => [ $arm ? 198 : 41, 1, 1, 0 ],
    'socket AF_INET'      => [ $arm ? 198 : 41, 2, 1, 0 ],
    'socket AF_NETLINK'   => [ $arm ? 198 : 41, 16, 3, 0 ],
    'io_uring_setup'      => [ 425, 1, pack( 'x120' ) ],
    'shmget'              => [ $arm ? 194 : 29, 0, 4096, 01600 ],
    'unshare'             => [ $arm ? 97 : 272, 0x10000000 ],
    'add_key'             => [ $arm ? 217 : 248, 'user', 'name', 'x', 1, -3 ],
    'setpriority'         => [ $arm ? 140 : 141, 0, $core + 0, 19 ],
    'limits of the service'  => [ $arm ? 261 : 302, $core + 0, 7, 0, pack( 'QQ', 0, 0 ) ],
    'F_SETOWN'            => [ $arm ? 25 : 72, 0, 8, $core + 0 ],
    'F_SETSIG'            => [ $arm ? 25 : 72, 0, 10, 10 ],
    'F_SETOWN_EX'         => [ $arm ? 25 : 72, 0, 15, pack( 'll', 1, $core ) ],
    'FIOSETOWN'           => [ $arm ? 29 : 16, 0, 0x8901, pack( 'l', $core ) ],
    'SIOCSPGRP'           => [ $arm ? 29 : 16, 0, 0x8902, pack( 'l', $core ) ],
    'an inherited file'   => [ $arm ? 63 : 0, 9, my $byte = ' ', 1 ],
    'fork'                => [ $arm ? 220 : 56, 17, 0, 0, 0, 0 ],
    'create a file'       => [ $arm ? 56 : 257, -100, "$folder/planted", 0101, 0600 ],
    'make a folder'       => [ $arm ? 34 : 258, -100, "$folder/planted", 0700 ],
    'remove a file'       => [ $arm ? 35 : 263, -100, $file, 0 ],
    'rights of a file'    => [ $arm ? 53 : 268, -100, $file, 0666 ],
    'times of a file'     => [ $arm ? 88 : 280, -100, $file, 0, 0 ],
    'attribute of a file' => [ $arm ? 5 : 188, $file, 'user.planted', 'x', 1, 0 ],
    'read a file'         => [ $arm ? 56 : 257, -100, $file, 0, 0 ],
    'memory beyond limit' => [ $arm ? 222 : 9, 0, 8 << 30, 3, 0x22, -1, 0 ],
);
$| = 1;
for my $name ( sort keys %calls ) {
    my ( $number, @arguments ) = @{ $calls{$name} };
    my $answer = syscall( $number, @arguments );
    # A child that could be made after all ends here.
    exit 0 if $name eq 'fork' && $answer == 0;
    print "$name\n" if $answer != -1;
}
print "tried\n";
# Last, for it would end this program: execveat, then the call that the filter must leave.
my $program = "/bin/true";
syscall( $arm ? 281 : 322, -100, $program, 0, 0, 0 );
exec { "/bin/echo" } "echo", "run a program";
