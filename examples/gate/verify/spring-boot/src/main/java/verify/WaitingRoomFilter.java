package verify;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Sends whoever was not let in to the waiting room; {@code /enter?wr=} makes a session of a token. */
@Component
class WaitingRoomFilter extends OncePerRequestFilter {
    private static final String WHO = "waiting-room.wid";

    private final AdmissionTokens tokens;

    WaitingRoomFilter(AdmissionTokens tokens) {
        this.tokens = tokens;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("Referrer-Policy", "no-referrer");
        if (request.getRequestURI().equals("/enter")) {
            enter(request, response);
            return;
        }
        HttpSession session = request.getSession(false);
        if (session == null || session.getAttribute(WHO) == null) {
            see(response, tokens.waitingRoom());
            return;
        }
        chain.doFilter(request, response);
    }

    private void enter(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String token = request.getParameter("wr");
        try {
            String who = tokens.admit(token == null ? "" : token);
            request.getSession(true).setAttribute(WHO, who);
            request.changeSessionId();
            see(response, "/"); // out of the address at once
        } catch (AdmissionTokens.Refused refused) {
            response.setStatus(HttpServletResponse.SC_UNAUTHORIZED);
            response.setContentType("text/plain");
            response.getWriter().println(refused.getMessage());
        }
    }

    private static void see(HttpServletResponse response, String address) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", address);
        response.setHeader("Cache-Control", "no-store");
    }
}
