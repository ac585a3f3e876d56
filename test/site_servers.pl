# Servers that misbehave, each on a port of 127.0.0.1, for tests of the site probe.
use IO::Socket::INET;
use Socket;
use Time::HiRes 'sleep';

my $head = "HTTP/1.1 200 OK\r\n";
my $text = "Welcome to my Site";

sub serve {
  my ($port, $answer) = @_;
  my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1:$port", Listen => 300) or die "$port: $!";
  return if fork;
  @SIG{qw(CHLD PIPE)} = qw(IGNORE IGNORE);
  while (my $client = $server->accept) {
    next if fork;
    $client->autoflush(1);
    $answer->($client);
    exit;
  }
}

sub asked { my ($client) = @_; sysread $client, my $request, 4096; return $request }
sub say_to { my ($client, @pieces) = @_; for (@pieces) { print $client $_; sleep 0.02 } }
sub reset_of { my ($client) = @_; setsockopt $client, SOL_SOCKET, SO_LINGER, pack "ii", 1, 0; close $client }

# Takes the connection and says nothing.
serve(8101, sub { sleep 60 });
# A byte of the head, or of the body, each 100 ms.
serve(8102, sub { my $c = shift; for (split //, "${head}X: " . "y" x 600) { print $c $_ or last; sleep 0.1 } });
serve(8103, sub { my $c = shift; asked($c); print $c "$head\r\n"; while (print $c "x") { sleep 0.1 } });
# A reset at once, after the request, within the body.
serve(8104, sub { reset_of(shift) });
serve(8105, sub { my $c = shift; asked($c); say_to($c, "${head}Content-Length: 99\r\n\r\nhalf"); reset_of($c) });
# HTTP/1.0, which ends with the connection, and tells the request.
serve(8106, sub { my $c = shift; my $r = asked($c); say_to($c, "HTTP/1.0 200 OK\r\n\r\n$text\n$r") });
# The text over the seams of chunks.
serve(8107, sub { my $c = shift; asked($c);
  say_to($c, "${head}Transfer-Encoding: chunked\r\n\r\n7;x=y\r\nWelcome\r\n", "4\r\n to \r", "\n7\r\nmy Site\r\n", "0\r\n\r\n") });
# No HTTP at all, until the other side ends: what it says unread would become a reset. And less of a page than was said.
serve(8108, sub { my $c = shift; say_to($c, "220 mail.example.org ESMTP\r\n"); 1 while asked($c) });
serve(8109, sub { my $c = shift; asked($c); say_to($c, "${head}Content-Length: 99\r\n\r\nhalf") });
# The text, and then nothing for a long time.
serve(8110, sub { my $c = shift; asked($c); say_to($c, "$head\r\n$text"); sleep 60 });
# The page after 1.2 s.
serve(8111, sub { my $c = shift; asked($c); sleep 1.2; say_to($c, "$head\r\n$text") });
# A body that never ends, as fast as it is taken.
serve(8112, sub { my $c = shift; asked($c); print $c "$head\r\n"; while (print $c "x" x 65536) {} });
