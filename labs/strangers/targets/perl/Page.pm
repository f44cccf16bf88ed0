# The names that Net::Prometheus gives; each process counts for itself, and any of them answers the page.
package Page;
use strict;
use warnings;
use Time::HiRes qw(time);

my @BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10);

sub new { return bless { started => time, counts => {}, times => {} }, shift }

sub answered {
    my ($self, $method, $route, $status, $seconds) = @_;
    $self->{counts}{qq(method="$method",code="$status")}++;
    my $times = $self->{times}{qq(method="$method",path="$route")} //= { count => 0, sum => 0, buckets => [(0) x @BOUNDS] };
    $times->{count}++;
    $times->{sum} += $seconds;
    for (0 .. $#BOUNDS) { $times->{buckets}[$_]++ if $seconds <= $BOUNDS[$_] }
}

sub text {
    my ($self) = @_;
    my $out = "# TYPE http_requests_total counter\n";
    $out .= "http_requests_total{$_} $self->{counts}{$_}\n" for sort keys %{ $self->{counts} };
    $out .= "# TYPE http_request_seconds histogram\n";
    for my $labels (sort keys %{ $self->{times} }) {
        my $times = $self->{times}{$labels};
        $out .= qq(http_request_seconds_bucket{$labels,le="$BOUNDS[$_]"} $times->{buckets}[$_]\n) for 0 .. $#BOUNDS;
        $out .= qq(http_request_seconds_bucket{$labels,le="+Inf"} $times->{count}\n);
        $out .= "http_request_seconds_count{$labels} $times->{count}\nhttp_request_seconds_sum{$labels} $times->{sum}\n";
    }
    my ($user, $system) = times;
    open my $file, '<', '/proc/self/statm' or die "no statm: $!";
    my (undef, $pages) = split ' ', <$file>;
    close $file;
    $out .= "# TYPE process_cpu_user_seconds_total counter\nprocess_cpu_user_seconds_total $user\n";
    $out .= "# TYPE process_cpu_system_seconds_total counter\nprocess_cpu_system_seconds_total $system\n";
    $out .= '# TYPE process_cpu_seconds_total counter' . "\nprocess_cpu_seconds_total " . ($user + $system) . "\n";
    $out .= "# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes " . 4096 * $pages . "\n";
    $out .= "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds $self->{started}\n";
    $out .= qq(# TYPE perl_info gauge\nperl_info{version="$]"} 1\n);
    return $out;
}

1;
