signals-line = signals: { $sources }
signals-answered = { $name } answered
signals-never = { $name } never answered ({ $error })
signals-partly = { $name } did not answer for { $seconds } ({ $error })
signals-live = signals from { $answering } of { $all } { $all ->
    [one] source
   *[other] sources
}
signals-fails = signals: { $name } does not answer: { $error }
signals-recovered = signals: { $name } answers again
signals-watch-on = signals: the target is watched for { $seconds } s without load (--no-observe-after leaves that out)
source-answers = { $name }: answers
source-fails = { $name }: gives nothing: { $error }
source-gives = {"  "}gives    { $signals }
source-gives-nothing = {"  "}gives    no metric that loadline knows
source-gives-no-line = {"  "}gives    no new line while it was looked at
source-tells = {"  "}tells    { $settings }
source-lacks = {"  "}missing  { $signal }: set { $setting }
source-several-processes = { $number } { $number ->
    [one] process answers
   *[other] processes answer
} in turn; each is told as an instance of its own
source-refused-messages = { $number } { $number ->
    [one] message was
   *[other] messages were
} not taken: each larger than 8 MiB, with more parts than fit, or sent too slowly; send smaller batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE)
source-mixed-processes = at least { $number } { $number ->
    [one] process answers
   *[other] processes answer
} in turn and nothing on the page tells them apart, so its counters are not used: name each process's own page, or put process_start_time_seconds or an instance label on it
source-slow-answers = its answer took up to { $seconds }: it waits in the queue that it measures; serve it on a port of its own
source-unused-name = { $metric } is not used: no metric that loadline knows
source-unused-labels = { $metric } is not used: it has other labels than loadline knows
source-unused-value = { $metric } is not used: its value stands for none (negative or not a number)
source-unused-unbounded = { $metric } is not used: it has no bound, so nothing can use it up
source-minute-values = { $signals }: each value is the mean of a whole minute and came up to { $late } after its end; only minutes that lie within the run and arrive before its end count, so let it run that much longer than the minutes you want to see
source-all-traces = no more traces are fetched than so far (2,000 or 64 MiB of a run), here { $number }: the rest of the run has none
source-unnamed-statements = statements are told by number alone, their text is not known: start postgres_exporter with --collector.stat_statements.include_query, or ask the database: SELECT query FROM pg_stat_statements WHERE queryid = NUMBER
source-unused-no-time = { $metric } is not used: it is the mean of a minute past and carries no time that says which; have its exporter send one (YACE: addCloudwatchTimestamp: true; cloudwatch_exporter: set_timestamp: true)
source-unused-no-use = { $metric } is not used: it is of a pool that does not tell how many of it are in use
source-remark = {"  "}note     { $text }
source-remark-of = { $name }: { $text }
source-hint-page = {"  "}help     Spring Boot: add io.micrometer:micrometer-registry-prometheus, set management.endpoints.web.exposure.include=health,prometheus, and name http://HOST:PORT/actuator/prometheus
source-hint-port = {"  "}help     start the target first, or name its process with pid:NUMBER; for a target on another machine name its page of metrics
source-hint-permission = {"  "}help     run loadline as the target's user or as root
source-refused = connection refused
source-timed-out = no answer in time
source-no-such-host = its host name has no address
source-status = status { $status }
source-not-metrics = line { $line } of its answer is not a metric
source-empty = its answer has no metrics
source-too-large = its answer is too large
source-cut-off = the connection broke off
source-tls = TLS failed
source-no-process = no such process
source-no-listener = nobody listens on the port
source-no-permission = no permission to read it
source-login = wrong user or password
source-no-database = no such database
source-unexpected = its answer is not what was asked for
source-no-file = there is no such file
source-nothing-sent = nothing was sent to it yet
source-port-taken = another program listens on its port
source-no-lines = the query counts lines; one that gives the lines themselves is needed
source-targets-down = it answers, but reaches none of the targets asked for (up = 0)
source-hint-prometheus = {"  "}help     name what is under load by labels of your Prometheus: prometheus://HOST:9090?match=job=~"shop|postgres"; its page /targets shows them
source-hint-user = {"  "}help     the page asks for a user: http://USER:PASSWORD@HOST:PORT/PATH; Spring Boot: or let /actuator/prometheus pass without one
source-hint-database = {"  "}help     look at host, port, user, password and name of the database: they are those of the target's own settings (spring.datasource.url, DATABASE_URL)
source-hint-loki = {"  "}help     loki://USER:PASSWORD@HOST:3100?query={"{"}app="shop"{"}"}, with &tenant=NAME behind it where Loki has several tenants (X-Scope-OrgID)
source-hint-remote = {"  "}help     on that host: loadline observe --listen 0.0.0.0:7070 --token TOKEN port:8080; here: remote://TOKEN@HOST:7070
source-defect = a defect of loadline
source-other = { $text }
observe-serves = serves the sources on { $address }; on the host that sends the load: --observe { $scheme }://TOKEN@THIS-HOST:{ $port }; Ctrl-C ends it
observe-init-looks = looking for sources (about 10 s) ...
observe-init-nothing = no source answered; name the target's URL, its page of metrics, or port:NUMBER while it runs
observe-init-wrote = written to { $path }; every run and search from here observes these sources
observe-init-head = Where signals of the target come from, for every run from here (loadline observe --check SOURCE tells what one gives)
observe-init-variable = before a run: export { $name }=USER:PASSWORD
observe-init-no-answer = left out: { $source } gives nothing: { $reason }
observe-init-type = left out: { $name } is of the type { $kind }, which is no source of signals
observe-init-unset = left out: { $source } needs the variable { $name }, which is not set: export it and try again
observe-init-export = the file has a secret; it is not copied, so export { $name } before a run (letters other than A-Z, a-z and 0-9 as %XX)
observe-init-unread = left out: { $source } cannot be read as a source
observe-init-query = left out: { $name } is a Loki, and needs the labels of the target's lines: add { $source } yourself
observe-init-not-exposed = left out: Spring's page of metrics, for { $setting } does not have prometheus: add it (with micrometer-registry-prometheus) and start the target anew
observe-init-profile = left out: settings of the profile { $profile }; SPRING_PROFILES_ACTIVE={ $profile } takes them in
observe-init-nothing-in = { $file } names no source: neither data sources of Grafana nor settings of Spring that tell where one is
observe-init-with-user = with a user that may read statistics, sessions, locks and statements are observed too
