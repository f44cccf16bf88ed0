package io.loadline.gate;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Sends whoever was not let in to the waiting room; {@code ?wr=<code>} becomes a mark in the session, at any address. */
class WaitingRoomFilter extends OncePerRequestFilter {
    private static final Logger LOG = LoggerFactory.getLogger(WaitingRoomFilter.class);

    private final WaitingRoomProperties room;
    private final GateClient gate;
    private final WaitingRoom inside;

    WaitingRoomFilter(WaitingRoomProperties room, GateClient gate, WaitingRoom inside) {
        this.room = room;
        this.gate = gate;
        this.inside = inside;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return room.isOpen(request.getRequestURI());
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<String> who = inside.visitor(request.getSession(false));
        if (who.isPresent()) {
            inside.see(request.getSession(), who.get());
            chain.doFilter(request, response);
            return;
        }
        String code = codeOf(request);
        if (code == null) {
            toRoom(request, response);
            return;
        }
        try {
            Optional<GateClient.Admission> admission = gate.exchange(code);
            if (admission.isEmpty()) {
                toRoom(request, response);
                return;
            }
            inside.letIn(request.getSession(true), admission.get());
            // Who made the visitor come with a session of his own must not share it.
            request.changeSessionId();
            see(response, withoutCode(request)); // out of the address, so that it is neither bookmarked nor sent on
        } catch (GateClient.Unavailable away) {
            LOG.warn("waiting room: {}", away.getMessage());
            if (room.passWhenAway()) {
                chain.doFilter(request, response);
                return;
            }
            response.setHeader("Retry-After", "2");
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the waiting room cannot be reached for a moment");
        }
    }

    /** From the address only: a parameter of a form is not the gate's, and reading it would use the body up. */
    private static String codeOf(HttpServletRequest request) {
        return parts(request).filter(part -> part.startsWith("wr=")).map(part -> part.substring(3)).findFirst().orElse(null);
    }

    private static java.util.stream.Stream<String> parts(HttpServletRequest request) {
        String query = request.getQueryString();
        return query == null ? java.util.stream.Stream.empty() : Arrays.stream(query.split("&"));
    }

    /** The address that the browser asked for, as it is known outside of proxies (server.forward-headers-strategy). */
    private static String withoutCode(HttpServletRequest request) {
        String base = ServletUriComponentsBuilder.fromRequestUri(request).build().toUriString();
        String query = parts(request).filter(part -> !part.startsWith("wr=")).collect(Collectors.joining("&"));
        return query.isEmpty() ? base : base + "?" + query;
    }

    private void toRoom(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String address = room.gate() + "/w/" + room.queue();
        // Only what a browser opens can be gone back to.
        if (request.getMethod().equals("GET") || request.getMethod().equals("HEAD")) {
            address += "?rt=" + URLEncoder.encode(withoutCode(request), StandardCharsets.UTF_8);
        }
        String mode = request.getHeader("Sec-Fetch-Mode");
        String accept = request.getHeader("Accept");
        boolean isPage = mode != null ? mode.equals("navigate") : accept == null || accept.equals("*/*") || accept.contains("text/html");
        if (isPage) {
            see(response, address);
            return;
        }
        // A script cannot follow to a page: it is told where the page is.
        response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
        response.setHeader("Cache-Control", "no-store");
        response.setContentType("application/json");
        response.getWriter().print("{\"error\":{\"code\":\"not_inside\",\"message\":\"the visitor has to wait first\"},\"waiting_url\":\"" + address + "\"}");
    }

    private static void see(HttpServletResponse response, String address) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", address);
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("Referrer-Policy", "no-referrer");
    }
}
