package waitroom;

import java.util.List;
import org.springframework.data.redis.core.ReactiveStringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;

/** Queues: which exist is in PostgreSQL, who waits in which order is a sorted set in Redis. */
@Component
class Queues {

    /** Adds unless there, then ranks: one round trip, and two joins of one user cannot interleave. */
    private static final RedisScript<Long> JOIN = RedisScript.of(
            "redis.call('ZADD', KEYS[1], 'NX', ARGV[1], ARGV[2]) return redis.call('ZRANK', KEYS[1], ARGV[2])",
            Long.class);

    private final DatabaseClient database;
    private final ReactiveStringRedisTemplate redis;

    Queues(DatabaseClient database, ReactiveStringRedisTemplate redis) {
        this.database = database;
        this.redis = redis;
    }

    /** The user's place from 0; empty when there is no such queue. Joining twice keeps the first place. */
    Mono<Long> join(String queue, String user) {
        return database.sql("select name from queue where name = :name").bind("name", queue)
                .map(row -> row.get("name", String.class)).one()
                .flatMap(name -> redis.execute(
                        JOIN, List.of(key(name)), List.of(Long.toString(System.currentTimeMillis()), user)).next());
    }

    /** The user's place from 0; empty when the user does not wait there. */
    Mono<Long> rank(String queue, String user) {
        return redis.opsForZSet().rank(key(queue), user);
    }

    private static String key(String queue) {
        return "queue:" + queue;
    }
}
