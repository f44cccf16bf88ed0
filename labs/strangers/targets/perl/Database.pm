# PostgreSQL by its simple query protocol, or the line protocol of the stand-in.
package Database;
use strict;
use warnings;
use IO::Socket::INET;
use Socket qw(IPPROTO_TCP TCP_NODELAY);

sub new {
    my ($class, $config, $name) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $config->{port}) or die "could not connect to server: $!\n";
    setsockopt $socket, IPPROTO_TCP, TCP_NODELAY, 1;
    my $self = bless { socket => $socket, is_postgres => $config->{kind} eq 'postgres' }, $class;
    if ($self->{is_postgres}) {
        my $body = pack('N', 196608) . join('', map { "$_\0" } 'user', $config->{user}, 'database', $config->{database}, 'application_name', $name, '');
        $self->put(pack('N', 4 + length $body) . $body);
        $self->until_ready;
    }
    return $self;
}

# A signal may come between: system calls are made again.
sub put {
    my ($self, $data) = @_;
    while (length $data) {
        my $written = syswrite $self->{socket}, $data;
        next if !defined $written && $!{EINTR};
        die "server closed the connection unexpectedly\n" unless $written;
        substr($data, 0, $written) = '';
    }
}

sub take {
    my ($self, $size) = @_;
    my $data = '';
    while (length $data < $size) {
        my $got = sysread $self->{socket}, $data, $size - length $data, length $data;
        next if !defined $got && $!{EINTR};
        die "server closed the connection unexpectedly\n" unless $got;
    }
    return $data;
}

sub query {
    my ($self, $sql, $ms) = @_;
    if (!$self->{is_postgres}) {
        $self->put("$ms $sql\n");
        while ($self->take(1) ne "\n") { next }
        return;
    }
    $self->put('Q' . pack('N', 5 + length $sql) . "$sql\0");
    $self->until_ready;
}

sub until_ready {
    my ($self) = @_;
    my $failed;
    while (1) {
        my ($kind, $size) = unpack 'aN', $self->take(5);
        my $body = $size > 4 ? $self->take($size - 4) : '';
        if ($kind eq 'E') {
            my %field = map { substr($_, 0, 1) => substr($_, 1) } grep { length } split /\0/, $body;
            $failed = "$field{S}:  $field{M}";
            # The server ends the session; nothing more comes.
            die "DBI connect failed: $failed\n" if $field{S} eq 'FATAL';
        }
        next unless $kind eq 'Z';
        die "DBD::Pg::st execute failed: $failed\n" if $failed;
        return;
    }
}

1;
