ngrinder-written = { $file } is written from { $source }. Try one iteration: loadline run --once { $file }
ngrinder-lost = { $count } { $count ->
    [one] place was
   *[other] places were
} not turned over; each is a comment in the script:
ngrinder-loss = line { $line }: { $code }: { $reason }
ngrinder-not-turned-over = not turned over: { $reason }
ngrinder-no-counterpart = k6 has nothing for { $name }
ngrinder-unknown-name = the script defines no { $name }
ngrinder-unread = a statement of this form is not read
ngrinder-too-deep = nested too deeply
ngrinder-multipart = a body of several parts; k6 makes one with http.file()
ngrinder-file-in-run = k6 reads files before the run only: open() outside of functions
ngrinder-thread-end = a virtual user of k6 is not told that it ends
ngrinder-for-each-user = sends requests once for each virtual user, not once for a process; setup() sends them once for the test
ngrinder-shared-count = threads shared this count; each virtual user has its own, exec.scenario.iterationInTest is one for all
ngrinder-other-class = only the class with the tests is turned over
ngrinder-note-load = nGrinder keeps the load beside the script: agents x processes x threads are vus.
ngrinder-note-redirects = nGrinder does not follow redirects.
ngrinder-note-certificates = nGrinder takes every certificate.
foreign-groovy = a .groovy file is a program, such as a script of nGrinder
foreign-ngrinder-way = `loadline new --from { $path }` makes a k6 script of a script of nGrinder
ngrinder-ending = its ending is neither .groovy nor .py
ngrinder-ending-way = name the script of nGrinder itself
ngrinder-foreign = it is no script of nGrinder: it names nothing of net.grinder, org.ngrinder or HTTPClient
ngrinder-foreign-way = a k6 script or an Artillery file runs as it is; `loadline new` writes a script to begin with
ngrinder-no-test = it has no test
ngrinder-no-test-way = Groovy needs a method with @Test in its class, Jython a class TestRunner with __call__
ngrinder-cut = a text, a comment or a bracket that begins here does not end, or a character is none of the language's
ngrinder-cut-way = copy the script from nGrinder anew, or mend this line
ngrinder-too-long = it is longer than 1 MiB
ngrinder-too-long-way = data belong into a file that the script reads
