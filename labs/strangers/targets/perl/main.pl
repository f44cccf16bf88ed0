#!/usr/bin/perl
# A back end made of parts that a JSON file switches on: processes that are forked beforehand, a request at a time each.
use strict;
use warnings;
use Digest::SHA qw(sha256);
use Fcntl qw(:flock);
use FindBin;
use lib $FindBin::Bin;
use HTTP::Tiny;
use IO::Socket::INET;
use JSON::PP qw(decode_json encode_json);
use POSIX qw(strftime WNOHANG);
use Socket qw(IPPROTO_TCP TCP_NODELAY);
use Time::HiRes qw(time sleep clock);
use Database;
use Page;

my %REASONS = (200 => 'OK', 404 => 'Not Found', 429 => 'Too Many Requests', 500 => 'Internal Server Error', 502 => 'Bad Gateway');
my $LEDGER_SECONDS = 1;

my ($config, $page, $connection, $http, %parts, @spans);
my ($requests, $failed, $written, $sent) = (0, 0, 0, 0);

sub part { return $parts{$_[0]} //= { size => 1, busy => 0, busy_s => 0, hold_count => 0, waiting => 0 } }

sub held {
    my ($name, $body) = @_;
    my $part = part($name);
    my $began = time;
    $part->{busy} = 1;
    my $is_done = eval { $body->(); 1 };
    my $error = $@;
    $part->{busy} = 0;
    $part->{busy_s} += time - $began;
    $part->{hold_count}++;
    die $error unless $is_done;
}

sub keep_ledger {
    return if time - $written < $LEDGER_SECONDS;
    $written = time;
    open my $out, '>>', "$config->{ledger}.$$" or die "no ledger: $!";
    print {$out} encode_json({ t => time, requests => $requests, failed => $failed, parts => \%parts }), "\n";
    close $out;
}

sub log_line {
    my ($level, $text) = @_;
    open my $out, '>>', $config->{log} or die "no log: $!";
    printf {$out} "[%s] [%s] [pid %d] %s\n", strftime('%Y-%m-%d %H:%M:%S', localtime), $level, $$, $text;
    close $out;
}

sub random_hex { return join '', map { sprintf '%02x', int rand 256 } 1 .. $_[0] }
sub nanos { return sprintf '%.0f', time * 1e9 }

sub span {
    my ($parent, $name, $kind, %attributes) = @_;
    return unless $config->{otlp};
    my $trace = $parent ? $parent->{traceId} : random_hex(16);
    return { traceId => $trace, spanId => random_hex(8), parentSpanId => $parent ? $parent->{spanId} : '', name => $name, kind => $kind,
        startTimeUnixNano => nanos(), all => \%attributes };
}

sub end_span {
    my ($span, %more) = @_;
    return unless $span;
    my %all = (%{ delete $span->{all} }, %more);
    $span->{attributes} = [map { { key => $_, value => $all{$_} =~ /^\d+$/ ? { intValue => $all{$_} } : { stringValue => $all{$_} } } } sort keys %all];
    $span->{endTimeUnixNano} = nanos();
    push @spans, $span;
}

sub deliver {
    return if !@spans || time - $sent < 1;
    $sent = time;
    my $resource = { attributes => [{ key => 'service.name', value => { stringValue => $config->{name} } }, { key => 'process.pid', value => { intValue => "$$" } }] };
    my $body = encode_json({ resourceSpans => [{ resource => $resource, scopeSpans => [{ scope => { name => 'stranger' }, spans => [splice @spans] }] }] });
    $http->post($config->{otlp}, { headers => { 'Content-Type' => 'application/json' }, content => $body });
}

sub run {
    my ($request, $steps) = @_;
    step($request, $_) for @$steps;
}

sub step {
    my ($request, $step) = @_;
    my $do = $step->{do};
    if ($do eq 'pool') {
        # A process has one connection of its own.
        $connection //= Database->new(values %{ $config->{pools} }, $config->{name});
        held('connection', sub { run($request, $step->{steps}) });
    } elsif ($do eq 'sql') {
        query($request, 'SELECT shop', $step, $step->{ms}) for 1 .. ($step->{times} || 1);
    } elsif ($do eq 'row') {
        $connection->query('begin', 0);
        query($request, 'UPDATE shop', $step, 0);
        held('row', sub { run($request, $step->{steps}) });
        $connection->query('commit', 0);
    } elsif ($do eq 'lock') {
        open my $file, '>>', "$config->{ledger}.lock" or die "no lock file: $!";
        flock $file, LOCK_EX;
        held("lock:$step->{of}", sub { run($request, $step->{steps}) });
        close $file;
    } elsif ($do eq 'executor') {
        # Nothing is done beside the request: the work is done in its place.
        run($request, $step->{steps});
    } elsif ($do eq 'call') {
        call($request, $step);
    } elsif ($do eq 'cpu') {
        my ($until, $block) = (clock() + $step->{ms} / 1000, "\0" x 4096);
        while (clock() < $until) { sha256($block) for 1 .. 10 }
    } elsif ($do eq 'sleep') {
        sleep $step->{ms} / 1000;
    } elsif ($do eq 'cache') {
        my $key = $request->{id} % $step->{keys};
        run($request, $step->{steps}) unless $request->{cached}{$key}++;
    } else {
        die "unknown step $do\n";
    }
}

sub query {
    my ($request, $name, $step, $ms) = @_;
    my $seconds = sprintf '%.5f', $ms / 1000;
    (my $sql = $step->{sql}) =~ s/\$1/$request->{id}/;
    $sql =~ s/\$2/$seconds/;
    my $span = span($request->{span}, $name, 3, 'db.system' => 'postgresql', 'db.statement' => $step->{sql});
    $connection->query($sql, $ms);
    end_span($span);
}

sub call {
    my ($request, $step) = @_;
    my ($port) = $step->{url} =~ /:(\d+)/;
    for my $attempt (0 .. ($step->{retries} || 0)) {
        my $span = span($request->{span}, 'GET', 3, 'http.request.method' => 'GET', 'url.full' => $step->{url}, 'server.address' => '127.0.0.1', 'server.port' => $port);
        my $answer = $http->get("$step->{url}?ms=$step->{ms}");
        end_span($span, 'http.response.status_code' => $answer->{status});
        return if $answer->{success};
        log_line('error', "$step->{of} answered $answer->{status}");
        sleep($answer->{headers}{'retry-after'} || 0.1) if $attempt < ($step->{retries} || 0);
    }
    die { status => 502, text => "$step->{of} failed" };
}

my %cached;

sub answer {
    my ($method, $path) = @_;
    return (200, 'ok', '/healthz') if $path eq '/healthz';
    return (200, $page->text, '/metrics') if $path eq '/metrics';
    for my $endpoint (@{ $config->{endpoints} }) {
        next unless $method eq $endpoint->{method} && index($path, $endpoint->{prefix}) == 0;
        my ($id) = $path =~ /(\d+)/;
        my $request = { id => $id || 0, cached => \%cached };
        $request->{span} = span(undef, "$method $endpoint->{route}", 2, 'http.request.method' => $method, 'http.route' => $endpoint->{route});
        my ($status, $text) = (200, encode_json({ id => $id, state => 'open' }));
        if (!eval { run($request, $endpoint->{steps}); 1 }) {
            my $error = $@;
            ($status, $text) = ref $error ? ($error->{status}, $error->{text}) : (500, "$error");
            undef $connection unless ref $error;
            log_line('error', "$method $path: $text");
        }
        end_span($request->{span}, 'http.response.status_code' => $status);
        $requests++;
        $failed++ if $status >= 400;
        return ($status, $text, $endpoint->{route});
    }
    return (404, 'not found', 'none');
}

sub serve {
    my ($socket) = @_;
    my $began = time;
    my $line = <$socket> // return;
    my ($method, $path) = split ' ', $line;
    while (defined($line = <$socket>) && $line =~ /\S/) { next }
    my ($status, $text, $route) = answer($method, $path =~ s/\?.*//r);
    print {$socket} "HTTP/1.1 $status $REASONS{$status}\r\nContent-Type: text/plain\r\nContent-Length: ", length($text), "\r\nConnection: close\r\n\r\n$text";
    $page->answered($method, $route, $status, time - $began) unless $route eq '/metrics';
}

sub child {
    my ($listener) = @_;
    srand($$);
    ($page, $http) = (Page->new, HTTP::Tiny->new(keep_alive => 1, timeout => 60));
    while (1) {
        my $socket = $listener->accept or next;
        setsockopt $socket, IPPROTO_TCP, TCP_NODELAY, 1;
        held('threads', sub { serve($socket) });
        close $socket;
        keep_ledger();
        deliver();
    }
}

open my $file, '<', $ARGV[0] or die "$ARGV[0]: $!";
$config = decode_json(do { local $/; <$file> });
my $listener = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => $config->{port}, Listen => 1024, ReuseAddr => 1) or die "no port: $!";
local $SIG{PIPE} = 'IGNORE';
my @children;
for (1 .. $config->{threads}) {
    my $pid = fork // die "no fork: $!";
    child($listener) unless $pid;
    push @children, $pid;
}
local $SIG{TERM} = sub { kill 'KILL', @children; exit 0 };
waitpid -1, 0 while 1;
