//! What a program writes when it has no more memory, connections or threads of its own.

use super::super::super::finding::RuleId;
use super::LogStack::{
    Any, DotNet, Go, Java, Kernel, Mysql, Nginx, Node, Postgres, Python, Redis, Rust,
};
use super::{LogPhrase, row};

pub(super) const MEMORY: &[LogPhrase] = &[
    row(Java, RuleId::OutOfMemory, &["outofmemoryerror"], "java.lang.OutOfMemoryError: Java heap space").without(&["onoutofmemoryerror"]).decisive(),
    row(Java, RuleId::OutOfMemory, &["gc overhead limit exceeded"], "ERROR c.shop.Cart - GC overhead limit exceeded").decisive(),
    row(Java, RuleId::OutOfMemory, &["unable to create", "native thread"], "[warning][os,thread] Failed to start thread: unable to create native thread").decisive(),
    row(Node, RuleId::OutOfMemory, &["javascript heap out of memory"], "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory").decisive(),
    row(Node, RuleId::OutOfMemory, &["array buffer allocation failed"], "RangeError: Array buffer allocation failed").decisive(),
    row(Python, RuleId::OutOfMemory, &["memoryerror"], "CRITICAL:app:MemoryError").without(&["memoryerrorhandler", "outofmemoryerror"]).decisive(),
    row(Python, RuleId::OutOfMemory, &["was sent sigkill", "out of memory"], "[2026-11-24 00:00:01 +0000] [7] [ERROR] Worker (pid:12) was sent SIGKILL! Perhaps out of memory?").decisive(),
    row(Go, RuleId::OutOfMemory, &["runtime: out of memory"], "fatal error: runtime: out of memory").decisive(),
    row(Go, RuleId::OutOfMemory, &["cannot allocate memory"], "fatal error: runtime: cannot allocate memory").decisive(),
    row(DotNet, RuleId::OutOfMemory, &["outofmemoryexception"], "System.OutOfMemoryException: Exception of type 'System.OutOfMemoryException' was thrown.").decisive(),
    row(Rust, RuleId::OutOfMemory, &["memory allocation of", "failed"], "memory allocation of 1048576 bytes failed").decisive(),
    row(Kernel, RuleId::OutOfMemory, &["out of memory", "killed process"], "[12345.678901] Out of memory: Killed process 4711 (java) total-vm:4000000kB").decisive(),
    row(Kernel, RuleId::OutOfMemory, &["oom-kill:"], "[12345.678901] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)").decisive(),
    row(Kernel, RuleId::OutOfMemory, &["oomkilled"], "Warning container shop-1 was OOMKilled").decisive(),
    row(Postgres, RuleId::OutOfMemory, &["error:", "out of memory"], "2026-11-24 00:00:01.000 UTC [12] ERROR:  out of memory").decisive(),
    row(Mysql, RuleId::OutOfMemory, &["out of memory", "needed"], "2026-11-24T00:00:01.000000Z 12 [ERROR] [MY-010934] [Server] Out of memory (Needed 8192 bytes)").decisive(),
    row(Redis, RuleId::OutOfMemory, &["oom command not allowed"], "ReplyError: OOM command not allowed when used memory > 'maxmemory'.").decisive(),
];

pub(super) const DOOR: &[LogPhrase] = &[
    row(Nginx, RuleId::AcceptQueue, &["worker_connections are not enough"], "2026/11/24 00:00:01 [alert] 12#12: 512 worker_connections are not enough").decisive(),
    row(Any, RuleId::OpenFiles, &["too many open files"], "2026/11/24 00:00:01 http: Accept error: accept tcp [::]:8080: accept4: too many open files; retrying in 5ms").decisive(),
    row(Node, RuleId::OpenFiles, &["emfile"], "Error: EMFILE, accept").decisive(),
    row(Python, RuleId::AcceptQueue, &["listen queue of socket", "full"], "*** uWSGI listen queue of socket \"127.0.0.1:8080\" (fd: 3) full !!! (101/100) ***").decisive(),
    row(Kernel, RuleId::AcceptQueue, &["listen queue of a socket overflowed"], "    190 times the listen queue of a socket overflowed").decisive(),
    row(Kernel, RuleId::AcceptQueue, &["possible syn flooding on port"], "[12345.678901] TCP: request_sock_TCP: Possible SYN flooding on port 8080. Sending cookies.").decisive(),
    row(Java, RuleId::AcceptQueue, &["maximum number of connections", "reached"], "WARN o.a.t.util.net.Acceptor - Maximum number of connections reached").decisive(),
    row(DotNet, RuleId::AcceptQueue, &["rejected because the maximum number of concurrent connections"], "warn: Microsoft.AspNetCore.Server.Kestrel[24] Connection id \"0\" rejected because the maximum number of concurrent connections has been reached.").decisive(),
    row(Nginx, RuleId::AcceptQueue, &["mpm_event", "scoreboard is full"], "[Sat Nov 28 05:00:00.1 2026] [mpm_event:error] [pid 1:tid 2] AH03490: scoreboard is full, not at MaxRequestWorkers").decisive(),
    row(Nginx, RuleId::AcceptQueue, &["server reached maxrequestworkers"], "[Sat Nov 28 05:00:00.1 2026] [mpm_prefork:error] [pid 1] AH00161: server reached MaxRequestWorkers setting, consider raising it").decisive(),
];

pub(super) const THREADS: &[LogPhrase] = &[
    row(
        Java,
        RuleId::TooFewThreads,
        &["rejectedexecution"],
        "java.util.concurrent.RejectedExecutionException: Task rejected from ThreadPoolExecutor[Running, pool size = 8, active threads = 8, queued tasks = 100]",
    ),
    row(
        Java,
        RuleId::TooFewThreads,
        &["all threads", "currently busy"],
        "SEVERE: All threads (200) are currently busy, waiting. Increase maxThreads (200) or check the servlet status",
    ),
    row(
        Java,
        RuleId::TooFewThreads,
        &["thread pool is exhausted"],
        "WARN o.a.dubbo - Thread pool is EXHAUSTED! Thread Name: DubboServerHandler, Pool Size: 200",
    ),
    row(
        DotNet,
        RuleId::TooFewThreads,
        &["heartbeat has been running for"],
        "warn: Microsoft.AspNetCore.Server.Kestrel[22] As of \"11/24/2026\", the heartbeat has been running for \"00:00:01.5\" which is longer than \"00:00:01\". This could be caused by thread pool starvation.",
    ),
    row(
        Python,
        RuleId::TooFewThreads,
        &["worker timeout"],
        "[2026-11-24 00:00:01 +0000] [7] [CRITICAL] WORKER TIMEOUT (pid:12)",
    )
    .decisive(),
    row(
        Python,
        RuleId::TooFewThreads,
        &["task queue depth is"],
        "WARNING:waitress.queue:Task queue depth is 12",
    ),
];
